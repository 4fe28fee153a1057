import Foundation
import StoreCaller
import StoreWire
import TestSupport
import Testing

/// A store, a backend and devices on this machine, in a folder of their own.
final class Lab {
    static let bundleID = "com.example.rocketcar"
    static let turbo = "com.example.rocketcar.turbo"
    static let fuel = "com.example.rocketcar.fuel"
    static let season = "com.example.rocketcar.season"
    static let club = "com.example.rocketcar.club"
    static let account = "buyer@example.com:rocket-fuel-1"

    private let place = TemporaryFolder()
    var folder: String { place.path }
    private(set) var store: Program?
    private(set) var backend: Program?
    private(set) var storePort = FreePort.next()
    private(set) var backendPort = FreePort.next()
    /// File systems of their own for the store's data, the backend's and a device's home, when a
    /// test has them.
    var storeDisk: SmallDisk?
    var backendDisk: SmallDisk?
    var deviceDisks: [String: SmallDisk] = [:]
    /// What stands before the store's program, when it has no disk of its own.
    var storePrefix: [String] = []
    /// What every start of the store is told beside the rest.
    var storeOptions: [String] = []
    /// Leaves the folder behind, for somebody to look at.
    var isKept = false { didSet { place.keep(isKept) } }

    var storeURL: String { "http://127.0.0.1:\(storePort)" }
    var backendURL: String { "http://127.0.0.1:\(backendPort)" }
    var storeData: String { folder + "/store" }
    var backendData: String { folder + "/backend" }

    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// Starts nothing yet.
    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder + "/logs", withIntermediateDirectories: false)
    }

    deinit {
        store?.kill()
        backend?.kill()
    }

    /// A folder of keys that one store made, for the labs that test something else: they cost
    /// seconds.
    private static let madeKeys = Result<String, any Error> {
        let lab = try Lab()
        try lab.startStore()
        let keys = lab.storeData + "/keys"
        try #require(eventually { FileManager.default.fileExists(atPath: keys + "/complete-test") })
        let kept = TemporaryFolder.untilExit().file("keys")
        try FileManager.default.copyItem(atPath: keys, toPath: kept)
        return kept
    }

    /// A lab with a store and a backend that run, a catalogue and an account.
    ///
    /// With a size, the store's or the backend's data are on a disk of that many KiB.
    static func open(
        storeKibibytes: Int? = nil, backendKibibytes: Int? = nil, withBackend: Bool = true,
        storeOptions: [String] = []
    ) throws -> Lab {
        let lab = try Lab()
        lab.storeOptions = storeOptions
        try FileManager.default.createDirectory(
            atPath: lab.storeData, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        if let storeKibibytes {
            lab.storeDisk = try SmallDisk(
                at: lab.storeData, kibibytes: storeKibibytes, logs: lab.folder + "/logs")
        }
        if let backendKibibytes {
            lab.backendDisk = try SmallDisk(
                at: lab.backendData, kibibytes: backendKibibytes, logs: lab.folder + "/logs")
        }
        try FileManager.default.copyItem(
            atPath: try madeKeys.get(), toPath: lab.storeFiles + "/keys")
        try lab.startStore()
        try lab.bodega([
            "catalog", "import", package + "/Examples/RocketCar/RocketCar.storekit",
            "--bundle-id", bundleID,
        ])
        try lab.bodega(["account", "add", "buyer@example.com", "--password", "rocket-fuel-1"])
        if withBackend { try lab.startBackend() }
        return lab
    }

    /// The `Host` of requests that tests write out byte by byte.
    private static let rawHost = "a"

    /// Starts the store, on the port it had before.
    func startStore(
        environment: [String: String] = [:], extra: [String] = [], mustWait: Bool = true
    ) throws {
        let program = try Program(
            "bodega",
            ["serve", "--data", storeData, "--port", "\(storePort)"] + storeOptions + extra,
            environment: ["BODEGA_ALLOW_HOST": Self.rawHost].merging(environment) { $1 },
            through: storeDisk?.prefix ?? storePrefix, logs: folder + "/logs")
        store = program
        if mustWait { storePort = try port(of: program) }
    }

    /// The file of the shared secret that the backend sends with receipts.
    var secretFile: String { folder + "/shared-secret" }

    /// Starts the backend, on the port it had before; the first time makes its shared secret.
    func startBackend(
        environment: [String: String] = [:], products: String? = nil, extra: [String] = [],
        mustWait: Bool = true
    ) throws {
        if !FileManager.default.fileExists(atPath: secretFile) {
            let made = try bodega(["secret", "make", "--json"])
            let secret = try WireJSON.decode(MadeSecretBody.self, from: Array(made.utf8)).secret
            try #require(
                FileManager.default.createFile(
                    atPath: secretFile, contents: Data(secret.utf8),
                    attributes: [.posixPermissions: 0o600]))
        }
        let program = try Program(
            "bodega",
            [
                "backend", "--data", backendData, "--port", "\(backendPort)",
                "--products",
                products ?? Self.package + "/Examples/RocketCar/Backend/products.json",
                "--production-url", storeURL + "/production",
                "--sandbox-url", storeURL + "/sandbox", "--allow-sandbox",
                "--shared-secret-file", secretFile,
            ] + extra,
            environment: ["BODEGA_BACKEND_ALLOW_HOST": Self.rawHost].merging(environment) { $1 },
            through: backendDisk?.prefix ?? [], logs: folder + "/logs")
        backend = program
        if mustWait { backendPort = try port(of: program) }
    }

    private func port(of program: Program) throws -> Int {
        let line = /listens on http:\/\/[^ ]*:([0-9]+)/
        _ = eventually { (try? line.firstMatch(in: program.output)) != nil || !program.isRunning }
        let match = try #require(
            try line.firstMatch(in: program.output),
            "it did not start: \(program.output)\(program.errors)")
        return try #require(Int(match.1))
    }

    /// Runs a command against the store; its output.
    @discardableResult
    func bodega(
        _ arguments: [String], code: Int32 = 0, environment: [String: String] = [:]
    ) throws -> String {
        let program = try Program(
            "bodega", arguments,
            environment: ["BODEGA_DATA": storeData].merging(environment) { $1 },
            through: storeDisk?.prefix ?? [], logs: folder + "/logs")
        let ended = try program.wait()
        #expect(
            ended == code,
            "bodega \(arguments) ended with \(ended): \(program.output)\(program.errors)")
        return program.output + program.errors
    }

    /// Examines the store's installation; at its usual port, programs of other tests may listen.
    @discardableResult func doctor() throws -> String { try bodega(["doctor", "--port", "0"]) }

    /// The environment of the app on a device.
    func appEnvironment(
        device: String = "phone", user: String = "driver:steering-wheel-1"
    ) -> [String: String] {
        [
            "STOREKIT_URL": storeURL + "/sandbox", "STOREKIT_BUNDLE_ID": Self.bundleID,
            "STOREKIT_APP_VERSION": "1.0", "STOREKIT_HOME": "\(folder)/\(device)",
            "STOREKIT_ACCOUNT": Self.account, "STOREKIT_SHEET": "approve",
            "ROCKETCAR_BACKEND": backendURL, "ROCKETCAR_HOME": "\(folder)/\(device)-app",
            "ROCKETCAR_USER": user, "HOME": folder,
        ]
    }

    func startApp(
        _ arguments: [String], device: String = "phone", user: String = "driver:steering-wheel-1",
        environment: [String: String] = [:]
    ) throws -> Program {
        let variables = appEnvironment(device: device, user: user).merging(environment) { $1 }
        return try Program(
            "RocketCar", arguments, environment: variables,
            through: deviceDisks[device]?.prefix ?? [], logs: folder + "/logs")
    }

    /// Runs the app to its end; its output.
    @discardableResult
    func app(
        _ arguments: [String], device: String = "phone", user: String = "driver:steering-wheel-1",
        environment: [String: String] = [:], code: Int32? = 0
    ) throws -> String {
        let program = try startApp(
            arguments, device: device, user: user, environment: environment)
        let ended = try program.wait()
        if let code {
            #expect(
                ended == code,
                "RocketCar \(arguments) ended with \(ended): \(program.output)\(program.errors)")
        }
        return program.output + program.errors
    }

    func receiptPath(device: String = "phone") -> String {
        "\(folder)/\(device)/StoreKit/sandboxReceipt"
    }

    /// One row's first column, read from a database file by SQLite alone.
    func count(_ sql: String, in database: String) throws -> Int64 {
        try SQLiteFile(database).number(sql)
    }

    /// The store's data, as they can be reached from here.
    var storeFiles: String { storeDisk?.outside ?? storeData }

    /// The backend's, likewise.
    var backendFiles: String { backendDisk?.outside ?? backendData }

    /// The default world, to be read here; a copy when it is on a disk of its own, where SQLite
    /// loses the way. Nothing may be written meanwhile.
    var storeFile: String {
        guard storeDisk != nil else { return storeData + "/worlds/default.sqlite" }
        let copy = folder + "/copy.sqlite"
        for ending in ["", "-wal", "-shm"] {
            unlink(copy + ending)
            guard ending != "-shm" else { continue }
            try? FileManager.default.copyItem(
                atPath: storeFiles + "/worlds/default.sqlite" + ending, toPath: copy + ending)
        }
        return copy
    }

    static func call(
        _ method: String, _ url: String, token: String? = nil, body: [UInt8]? = nil,
        answerBytesMax: Int = 16 << 20
    ) throws -> CallerResponse {
        var headers: [(name: String, value: String)] = [("Content-Type", "application/json")]
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        return try Caller().send(
            CallerRequest(
                method: method, url: url, headers: headers, body: body,
                timeoutMilliseconds: Int(Program.secondsMax * 1_000),
                responseBodyMax: answerBytesMax))
    }
}
