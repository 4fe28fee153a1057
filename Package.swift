// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: Swift 6 language mode, no warnings, imports that say what they lend on.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Targets that touch C libraries also mark each unsafe crossing.
let bridge: [SwiftSetting] = strict + [.strictMemorySafety()]

/// The commit that `bodega --version` names, when scripts/package builds it.
let commit: [CSetting] =
    Context.environment["BODEGA_COMMIT"].map {
        [.define("BODEGA_COMMIT", to: "\"\($0)\"")]
    } ?? []

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = strict
) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [])
    -> Target
{
    .testTarget(
        name: name, dependencies: dependencies, resources: resources,
        swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
}

let package = Package(
    name: "bodega",
    products: [
        .library(name: "StoreKit", targets: ["StoreKit"]),
        .library(name: "StoreKitTest", targets: ["StoreKitTest"]),
        .library(name: "BodegaTesting", targets: ["BodegaTesting"]),
        .executable(name: "bodega", targets: ["bodega"]),
        .executable(name: "RocketCar", targets: ["RocketCar"]),
        .executable(name: "Kiosk", targets: ["Kiosk"]),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CMalloc"),
        .target(name: "CBuild", cSettings: commit),
        .target(name: "CConsoleFiles"),
        .target(name: "CStoreKit"),

        library("CrashPoints"),
        library("StoreLog", settings: bridge),
        library("StoreModel"),
        library("StoreWire", ["StoreModel"]),
        library("StoreRules", ["StoreModel"]),
        library("StoreDigest", ["COpenSSL"], settings: bridge),
        library("StoreVerification", ["COpenSSL", "StoreModel"], settings: bridge),
        library(
            "StoreSigning", ["COpenSSL", "StoreModel", "StoreVerification"], settings: bridge),
        library("StoreDatabase", ["CMalloc", "CSQLite", "StoreModel"], settings: bridge),
        library("StoreHTTP", ["CMicroHTTPD"], settings: bridge),
        library("StoreCaller", ["CCurl"], settings: bridge),
        library("StoreService", ["StoreHTTP", "StoreWire"]),
        library(
            "StoreConsole",
            [
                "CConsoleFiles", "StoreHTTP", "StoreModel", "StoreService", "StoreSigning",
                "StoreVerification", "StoreWire",
            ], settings: bridge),
        library(
            "StoreKit",
            [
                "CStoreKit", "CrashPoints", "StoreModel", "StoreWire", "StoreCaller",
                "StoreDigest", "StoreVerification",
            ]),
        library("BodegaTesting", ["StoreCaller", "StoreKit", "StoreModel", "StoreWire"]),
        library("StoreKitTest", ["BodegaTesting", "StoreKit", "StoreModel", "StoreWire"]),
        library(
            "AppStoreServer",
            [
                "CrashPoints", "StoreLog", "StoreModel", "StoreWire", "StoreRules",
                "StoreDigest", "StoreSigning", "StoreVerification", "StoreDatabase", "StoreHTTP",
                "StoreCaller", "StoreConsole", "StoreService",
            ]),
        library(
            "PurchaseBackend",
            [
                "CrashPoints", "StoreLog", "StoreModel", "StoreWire", "StoreSigning",
                "StoreVerification", "StoreDatabase", "StoreHTTP", "StoreCaller", "StoreConsole",
                "StoreService",
            ]),
        .executableTarget(
            name: "bodega",
            dependencies: [
                "AppStoreServer", "CBuild", "CMalloc", "PurchaseBackend", "StoreCaller",
                "StoreConsole", "StoreKit", "StoreLog", "StoreModel", "StoreService", "StoreWire",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "RocketCar", dependencies: ["StoreKit"], path: "Examples/RocketCar/Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "Kiosk", dependencies: ["StoreKit"], path: "Examples/Kiosk/Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),

        .executableTarget(
            name: "BodegaBench",
            dependencies: [
                "COpenSSL", "CSQLite", "AppStoreServer", "StoreHTTP", "StoreKit", "StoreKitTest",
                "StoreModel", "StoreSigning", "StoreVerification",
            ],
            path: "Benchmarks/BodegaBench",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),

        .executableTarget(
            name: "ReceiptURLProbe", dependencies: ["StoreKit"],
            path: "Tests/Probes/ReceiptURLProbe",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),

        .executableTarget(
            name: "PurchaseProbe", dependencies: ["CMutexSanitizer", "StoreKit"],
            path: "Tests/Probes/PurchaseProbe",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),

        .executableTarget(
            name: "DownloadProbe", dependencies: ["StoreKit"], path: "Tests/Probes/DownloadProbe",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),

        .executableTarget(
            name: "KeyValueProbe", dependencies: ["StoreKit"], path: "Tests/Probes/KeyValueProbe",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),

        .executableTarget(
            name: "SequenceProbe", dependencies: ["CMalloc", "CMutexSanitizer", "StoreKit"],
            path: "Tests/Probes/SequenceProbe",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),

        .executableTarget(
            name: "ShopDayProbe", dependencies: ["StoreKit"],
            path: "Tests/Probes/ShopDayProbe",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),

        .target(name: "CMutexSanitizer", path: "Tests/Probes/CMutexSanitizer"),
        .executableTarget(
            name: "ManyWorldsProbe",
            dependencies: ["BodegaTesting", "CMutexSanitizer", "StoreKit"],
            path: "Tests/Probes/ManyWorldsProbe",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),

        .target(
            name: "TestSupport", path: "Tests/TestSupport",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),

        tests("StoreLogTests", ["StoreLog"]),
        tests("StoreModelTests", ["StoreModel"]),
        tests("StoreWireTests", ["StoreModel", "StoreWire"], resources: [.copy("Samples")]),
        tests("StoreRulesTests", ["StoreModel", "StoreRules"]),
        tests(
            "StoreSigningTests",
            [
                "COpenSSL", "StoreDigest", "StoreModel", "StoreSigning", "StoreVerification",
                "TestSupport",
            ],
            resources: [.copy("Golden")]),
        tests(
            "StoreDatabaseTests",
            [
                "AppStoreServer", "CSQLite", "PurchaseBackend", "StoreDatabase", "StoreModel",
                "TestSupport",
            ], resources: [.copy("Golden")]),
        tests("StoreHTTPTests", ["StoreHTTP", "StoreModel", "TestSupport"]),
        tests("StoreCallerTests", ["StoreCaller", "StoreHTTP", "StoreModel", "TestSupport"]),
        tests("StoreServiceTests", ["StoreHTTP", "StoreService", "StoreWire"]),
        tests(
            "StoreConsoleTests",
            [
                "StoreConsole", "StoreHTTP", "StoreModel", "StoreService", "StoreWire",
                "TestSupport",
            ]),
        tests(
            "StoreKitTests",
            [
                "StoreKit", "StoreCaller", "StoreDigest", "StoreHTTP", "StoreModel", "StoreWire",
                "CrashPoints", "ReceiptURLProbe", "PurchaseProbe", "TestSupport",
            ], resources: [.copy("Surface/Golden")]),
        tests(
            "AppStoreServerTests",
            [
                "AppStoreServer", "StoreDatabase", "StoreHTTP", "StoreModel", "StoreRules",
                "StoreSigning", "StoreVerification", "StoreWire", "TestSupport",
            ], resources: [.copy("Golden")]),
        tests(
            "PurchaseBackendTests",
            [
                "PurchaseBackend", "StoreCaller", "StoreDatabase", "StoreHTTP", "StoreLog",
                "StoreModel", "StoreSigning", "StoreVerification", "StoreWire", "TestSupport",
            ], resources: [.copy("Golden")]),
        tests(
            "OpenAPITests", ["AppStoreServer", "PurchaseBackend", "StoreService", "StoreWire"],
            resources: [.copy("Golden")]),
        tests(
            "WholeProductTests",
            [
                "CSQLite", "CrashPoints", "StoreCaller", "StoreModel", "StoreSigning",
                "StoreVerification", "StoreWire",
                "bodega", "Kiosk", "RocketCar", "PurchaseProbe", "DownloadProbe", "KeyValueProbe",
                "ShopDayProbe", "TestSupport",
            ], resources: [.copy("Golden")]),
        tests(
            "BodegaTestingTests",
            [
                "BodegaTesting", "ManyWorldsProbe", "StoreKit", "StoreModel", "StoreWire", "bodega",
                "TestSupport",
            ]),
        tests(
            "StoreKit2Tests",
            [
                "BodegaTesting", "StoreKit", "StoreModel", "StoreSigning", "StoreVerification",
                "StoreWire", "Kiosk", "PurchaseProbe", "SequenceProbe", "bodega", "TestSupport",
            ]),
        tests(
            "StoreKitTestTests",
            ["BodegaTesting", "StoreKit", "StoreKitTest", "bodega", "TestSupport"],
            resources: [.copy("Resources/Press.storekit")]),
        tests(
            "ArticleTests",
            ["BodegaTesting", "StoreKit", "StoreKitTest", "bodega", "TestSupport"],
            resources: [.copy("Snippets/Products.storekit")]),
        tests(
            "RocketCarTests", ["RocketCar", "StoreKit", "TestSupport"], resources: [.copy("Golden")]
        ),
        tests("TidyTests", []),
    ]
)
