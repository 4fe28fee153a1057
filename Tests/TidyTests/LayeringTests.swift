import Foundation
import Testing

/// The arrows between the modules, in the manifest and in every source file.
@Suite struct LayeringTests {
    @Test func `the manifest has exactly the dependencies of the table`() throws {
        let manifest = Manifest(try Repository.file("Package.swift").text)
        #expect(Set(manifest.targets.keys) == Set(Layers.modules.keys))
        for (module, below) in Layers.modules {
            #expect(manifest.targets[module] == below, "\(module)")
        }
    }

    @Test func `every folder of sources is a module of the table`() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.path + "/Sources")
        #expect(!folders.isEmpty)
        #expect(folders.filter { Layers.modules[$0] == nil && !$0.hasPrefix(".") } == [])
    }

    @Test func `every source file imports only what its module may`() throws {
        let strays = try Repository.sources().flatMap(Self.strayImports)
        #expect(strays == [])
    }

    @Test func `module dependencies have no cycle`() {
        for module in Layers.modules.keys {
            #expect(!Layers.all(below: module, by: Layers.modules).contains(module), "\(module)")
        }
    }

    @Test func `an app links neither rules, database, signing nor listener`() throws {
        let manifest = Manifest(try Repository.file("Package.swift").text)
        for app in ["StoreKit", "RocketCar"] {
            let below = Layers.all(below: app, by: manifest.targets)
            #expect(below.contains("StoreModel"))
            #expect(below.isDisjoint(with: Layers.foreignToStoreKit), "\(app)")
        }
    }

    @Test func `the backend knows nothing of the store`() throws {
        let manifest = Manifest(try Repository.file("Package.swift").text)
        let below = Layers.all(below: "PurchaseBackend", by: manifest.targets)
        #expect(below.contains("StoreModel"))
        #expect(below.isDisjoint(with: ["AppStoreServer", "StoreRules"]))
    }

    // MARK: - The checks find what they are there for

    @Test(arguments: [
        ("Sources/StoreKit/A.swift", "import StoreDatabase"),
        ("Sources/StoreKit/Queue/A.swift", "@_exported public import StoreRules"),
        ("Sources/StoreModel/A.swift", "import Foundation"),
        ("Sources/StoreRules/A.swift", "package import StoreWire"),
        ("Sources/bodega/A.swift", "@testable import StoreSigning"),
        ("Examples/RocketCar/Sources/A.swift", "import struct StoreModel.Money"),
        ("Sources/Nobody/A.swift", "import StoreModel"),
    ])
    func `a stray import is found`(path: String, line: String) {
        #expect(Self.strayImports(.init(path: path, text: "\(line)\n")).count == 1)
    }

    @Test func `a manifest is read with every way of declaring a target`() {
        let manifest = Manifest(
            """
            func library(_ name: String) -> Target { .target(name: name, dependencies: []) }
            .library(name: "P", targets: ["Q"]),
            .systemLibrary(name: "C", providers: [.apt(["x"])]),
            library("A"), library("B", ["A", "C"], settings: bridge),
            library(
                "D",
                ["A"]),
            .executableTarget(name: "E", dependencies: ["D"], path: "Examples/E"),
            .executableTarget(name: "T", dependencies: ["D"], path: "Tests/T"),
            """)
        #expect(
            manifest.targets == ["A": [], "B": ["A", "C"], "C": [], "D": ["A"], "E": ["D"]])
        #expect(Layers.all(below: "E", by: manifest.targets) == ["A", "D"])
    }

    static func strayImports(_ file: Repository.File) -> [String] {
        let allowed = Layers.imports(of: Layers.module(of: file.path))
        let line = /^\s*(?:(?:@\w+|public|package|internal|fileprivate|private)\s+)*import\s+(.+)$/
        return file.code.compactMap { text in
            guard let found = text.firstMatch(of: line)?.1 else { return nil }
            // `import struct Module.Name` names a declaration of a module.
            let module = found.split(separator: " ").last?.split(separator: ".").first ?? ""
            return allowed.contains(String(module)) ? nil : "\(file.path): \(module)"
        }
    }
}
