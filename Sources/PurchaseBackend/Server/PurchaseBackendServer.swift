import Dispatch
import Foundation
import StoreCaller
import StoreDatabase
import StoreHTTP
package import StoreLog
package import StoreModel
import Synchronization

/// A running backend.
package final class PurchaseBackendServer: Sendable {
    /// How long requests may take to end after the calls to the store have ended.
    package static let stopMarginMilliseconds = 2_000

    /// Where it listens, such as `http://127.0.0.1:8081`.
    package let url: String
    /// Released by `stop`.
    private let lock: Mutex<DirectoryLock?>
    private let parts: BackendParts
    private let listener: HTTPListener
    private let calls: CallCancellation
    private let timings: BackendTimings
    private let dataDirectory: String
    private let log: Log

    /// Reads the product list, opens the data directory, listens, and takes up what the last
    /// process kept; throws a `BackendError` that says what to do.
    package init(_ configuration: BackendConfiguration, log: Log, wall: WallClock) throws {
        try Self.check(configuration)
        let products = try ProductList.read(file: configuration.productListFile)
        try Self.check(configuration, products)
        let signing = try OfferSigning.read(configuration, bundleID: products.bundleID)
        lock = Mutex(try Self.lock(configuration.dataDirectory))
        let token = try OperatorToken.open(in: configuration.dataDirectory)
        let metricsToken = try OperatorToken.open(
            OperatorToken.metricsFileName, in: configuration.dataDirectory)
        let meters = BackendMeters()
        let database = try Self.open(configuration.dataDirectory, meters.commits)
        let calls = CallCancellation()
        let caller = Caller(certificateAuthorityFile: configuration.certificateAuthorityFile)
        do {
            let parts = try BackendParts(
                configuration, products: products, database: database,
                send: { request throws(CallerError) in
                    try caller.send(request, cancellation: calls)
                }, signing: signing, operatorToken: token,
                metricsToken: metricsToken, meters: meters, clock: wall, log: log)
            try parts.takeUpAbandoned()
            let service = PurchaseBackendService(parts)
            var listening = ListenerConfiguration(
                host: configuration.host, port: Int(configuration.port),
                connectionsMax: BackendLimits.connectionsMax,
                bodyBytesMax: { PurchaseBackendService.bodyLimit(method: $0, segments: $2) },
                strangerBytesOpenMax: BackendLimits.strangerBytesMax,
                accountBytesOpenMax: BackendLimits.userBytesMax, sender: service.sender)
            listening.unrouted = meters.unrouted
            listener = try HTTPListener(listening, handler: { service.handle($0, $1) })
            self.parts = parts
            try BackendFiles.writeAddress(listener.url, in: configuration.dataDirectory)
        } catch let error as BackendError {
            database.close()
            throw error
        } catch {
            database.close()
            throw BackendError(.listener, "\(error)")
        }
        self.calls = calls
        self.log = log
        timings = configuration.timings
        dataDirectory = configuration.dataDirectory
        url = listener.url
        parts.worker.start()
        parts.subscriptionWorker.start()
        parts.grantWorker.start()
        log(.started, .detail(url))
    }

    /// Accepts no more requests and lets those under way end. Calls to the store get a little time;
    /// submissions that are still open are kept and taken up at the next start.
    package func stop() {
        parts.verificationPool.close()
        parts.reads.close()
        parts.passwordPool.close()
        let grace = timings.stopGraceMilliseconds
        let calls = calls
        let ending = DispatchWorkItem { calls.cancel() }
        DispatchQueue(label: "backend.stop").asyncAfter(
            deadline: .now() + .milliseconds(grace), execute: ending)
        parts.worker.stop()
        parts.subscriptionWorker.stop(graceMilliseconds: grace + Self.stopMarginMilliseconds)
        parts.grantWorker.stop(graceMilliseconds: grace + Self.stopMarginMilliseconds)
        _ = parts.verificationPool.drain(milliseconds: grace + Self.stopMarginMilliseconds)
        _ = parts.reads.drain(milliseconds: grace + Self.stopMarginMilliseconds)
        _ = parts.passwordPool.drain(milliseconds: Self.stopMarginMilliseconds)
        ending.cancel()
        calls.cancel()
        listener.stop(graceMilliseconds: Self.stopMarginMilliseconds)
        BackendFiles.removeAddress(in: dataDirectory)
        parts.database.close()
        lock.withLock { $0 = nil }
        log(.stopped)
    }
}

extension PurchaseBackendServer {
    private static func check(_ configuration: BackendConfiguration) throws(BackendError) {
        guard configuration.isLoopback || configuration.allowsPlainHTTP else {
            throw BackendError(
                .badConfiguration,
                "\(configuration.host) can be reached from other machines and this backend "
                    + "speaks plain HTTP: listen on 127.0.0.1 behind a TLS proxy, or accept that "
                    + "everybody on the way can read passwords, with --allow-plain-http")
        }
        if let file = configuration.certificateAuthorityFile,
            !FileManager.default.isReadableFile(atPath: file)
        {
            throw BackendError(
                .badConfiguration, "the authorities file \(file) cannot be read")
        }
        _ = try BackendConfiguration.verifyReceiptURL(configuration.productionURL)
        _ = try BackendConfiguration.verifyReceiptURL(configuration.sandboxURL)
    }

    private static func check(
        _ configuration: BackendConfiguration, _ products: ProductList
    ) throws(BackendError) {
        guard configuration.sharedSecret == nil,
            let product = products.products.first(where: { $0.kind == .autoRenewable })
        else { return }
        throw BackendError(
            .badConfiguration,
            "the product list contains an auto-renewable subscription, \(product.id), which stores "
                + "verify only with the app's shared secret: give --shared-secret-file, or "
                + SharedSecret.variable)
    }

    /// Creates the folder (mode 0700) if needed, and locks it.
    private static func lock(_ directory: String) throws(BackendError) -> DirectoryLock {
        do {
            return try DirectoryLock(directory: directory)
        } catch let held as DirectoryLock.Held {
            let holder = held.processID.map { " (process \($0))" } ?? ""
            throw BackendError(
                .dataDirectoryInUse,
                "another process\(holder) uses the data directory \(directory): stop it, or "
                    + "give this backend another directory with --data")
        } catch {
            throw BackendError(
                .dataDirectory, "the data directory \(directory) cannot be used: \(error)")
        }
    }

    static func databasePath(in directory: String) -> String { directory + "/backend.sqlite" }

    private static func open(
        _ directory: String, _ meter: CommitMeter
    ) throws(BackendError) -> Database {
        do {
            return try Database(
                path: databasePath(in: directory), durability: .full,
                schema: BackendSchema.current, meter: meter)
        } catch {
            throw BackendError(
                .database, "cannot open the backend's database in \(directory): \(error)")
        }
    }
}
