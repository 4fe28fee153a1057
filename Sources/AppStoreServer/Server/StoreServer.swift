import Foundation
import Glibc
import StoreConsole
import StoreHTTP
package import StoreLog
package import StoreModel
import StoreService
import StoreSigning
import StoreWire
import Synchronization

/// A running store.
package final class StoreServer: Sendable {
    /// How long requests in flight may take to end when the store stops.
    package static let stopMillisecondsMax = 5_000

    /// Where it listens, such as `http://127.0.0.1:8080`.
    package let url: String
    /// The same for TLS, if it has a port for it.
    package let tlsURL: String?
    /// Whether clients that trusted the authority of TLS must trust another one now.
    package let isAuthorityReplaced: Bool
    /// The control token, when this start made it; shown once.
    package let madeToken: String?
    private let directory: DataDirectory
    private let worlds: WorldRegistry
    private let listener: HTTPListener
    private let inspector: Inspector?
    private let log: Log

    /// Opens the data directory and listens; throws `StartFailure` with what to do.
    package init(_ configuration: StoreConfiguration, log: Log, wall: WallClock) throws {
        guard configuration.isLoopback || configuration.allowsPlainHTTP else {
            throw StartFailure(
                "\(configuration.host) can be reached from other machines, and this store speaks "
                    + "plain HTTP: put a TLS proxy in front of 127.0.0.1, or accept with "
                    + "--allow-plain-http that anyone on the way can read and change the traffic")
        }
        let limit = FileBudget.limit()
        guard limit >= FileBudget.limitMin else {
            throw StartFailure(
                "this process may have only \(limit) files open, and a store needs at least "
                    + "\(FileBudget.limitMin): raise the limit, with ulimit -n")
        }
        let budget = FileBudget(limit: limit)
        let ownOCSPAddress = try configuration.checkedOCSPAddress()
        directory = try DataDirectory(path: configuration.dataDirectory)
        let keys = try directory.openKeys()
        let (token, made) = try ControlToken.open(path: directory.tokenPath)
        let (metricsToken, _) = try ControlToken.open(path: directory.metricsTokenPath)
        inspector = configuration.hasInspector ? Inspector() : nil
        let parts = StoreParts(keys: keys, inspector: inspector)
        let meters = StoreMeters()
        let socket: ListeningSocket
        do {
            // Before any world is opened, since new certificates name the address.
            socket = try ListeningSocket(
                host: configuration.host, port: Int(configuration.port))
        } catch {
            throw StartFailure(error.detail)
        }
        let ocspAddress = ownOCSPAddress ?? socket.localURL
        do {
            worlds = try WorldRegistry(
                directory: directory.worldsPath, contentDirectory: directory.contentPath,
                keys: keys, wall: wall, polls: parts.polls,
                sessionsOpenMax: min(Limits.sessionsOpenMax, budget.sessions),
                sessionsUsedMax: budget.sessions,
                makeProvider: {
                    configuration.paymentGateway.map {
                        CountedProvider(HTTPPaymentProvider($0), meters.provider)
                    }
                }, storeAddress: ocspAddress, meters: meters, log: log)
        } catch {
            socket.close()
            throw StartFailure("cannot open the store in \(directory.path): \(error)")
        }
        let handler = StoreHandler(
            worlds: worlds, parts: parts, token: token,
            hosts: KnownHosts(
                listeningOn: configuration.host, allowing: configuration.allowedHosts),
            places: .apple, metricsToken: metricsToken, meters: meters,
            build: BuildInfo(commit: configuration.commit, startedAt: wall.now()),
            consoleFiles: ConsoleFiles(folder: configuration.consoleFolder), log: log)
        do {
            let identity: TLSIdentity?
            do { identity = try Self.identity(configuration, in: directory, now: wall.now()) } catch
            {
                socket.close()
                throw error
            }
            isAuthorityReplaced = identity?.isAuthorityReplaced ?? false
            listener = try HTTPListener(
                Self.listening(configuration, identity, budget, handler, inspector, log), at: socket
            ) { handler.handle($0, $1) }
        } catch let error as ListenerError {
            worlds.close()
            throw StartFailure(error.detail)
        } catch {
            worlds.close()
            throw StartFailure("cannot speak TLS: \(error)")
        }
        worlds.keepSessionsSmall()
        worlds.sweepContentRegularly()
        url = listener.url
        tlsURL = listener.tlsURL
        madeToken = made
        self.log = log
        try writePrivately(
            try WireJSON.encode(
                ServerFileBody(
                    url: url, tlsUrl: tlsURL, ocspUrl: ocspAddress, processId: getpid())),
            to: directory.serverPath)
        if !configuration.isLoopback { log.event(StoreEvent.listensWithoutTLS) }
        if isAuthorityReplaced { log.event(StoreEvent.tlsAuthorityReplaced) }
        let places = tlsURL.map { log.adding("tlsUrl", .text($0)) } ?? log
        places.event(StoreEvent.started, ("url", .text(url)))
        Self.prepareSessions(keys, log: log)
    }

    /// Finishes requests in flight, ends the waiting polls and closes every world.
    package func stop() {
        log.event(StoreEvent.stopping)
        worlds.endPolls()
        inspector?.close()
        listener.stop(graceMilliseconds: Self.stopMillisecondsMax)
        worlds.close()
        unlink(directory.serverPath)
        log.event(StoreEvent.stopped)
    }

    /// What it speaks TLS with; nil when it is not to.
    private static func identity(
        _ configuration: StoreConfiguration, in directory: DataDirectory, now: Timestamp
    ) throws -> TLSIdentity? {
        guard configuration.tlsPort != nil else { return nil }
        let address = configuration.listensEverywhere ? [] : [configuration.host]
        return try directory.openTLS(for: address + configuration.allowedHosts, now: now)
    }

    private static func listening(
        _ configuration: StoreConfiguration, _ identity: TLSIdentity?, _ budget: FileBudget,
        _ handler: StoreHandler, _ inspector: Inspector?, _ log: Log
    ) -> ListenerConfiguration {
        var listening = ListenerConfiguration(
            host: configuration.host, port: Int(configuration.port),
            connectionsMax: budget.connections, bodyBytesMax: handler.bodyBytesMax,
            pathPartsMax: handler.pathPartsMax,
            strangerBytesOpenMax: Limits.strangerBytesMax,
            accountBytesOpenMax: Limits.accountBytesMax, sender: handler.sender)
        listening.unrouted = handler.meters.unrouted
        if let port = configuration.tlsPort, let identity {
            listening.connectionsMax -= budget.tlsConnections
            listening.tls = TLSPort(
                port: Int(port), connectionsMax: budget.tlsConnections, key: identity.key,
                certificate: identity.certificate)
        }
        let logsRequests = configuration.logsRequests
        listening.logsOwnAnswersOnly = !logsRequests
        if logsRequests || inspector != nil {
            listening.accessLog = { record in
                if logsRequests { note(record, in: log) }
                handler.note(record)
            }
        }
        return listening
    }

    private static func note(_ record: AccessRecord, in log: Log) {
        log.event(
            StoreEvent.request, ("request", .text(record.requestID)),
            ("method", .text(record.method)), ("path", .text(record.path)),
            ("status", .number(Int64(record.status))),
            ("microseconds", .number(Int64(record.durationMicroseconds))),
            ("bytes", .number(Int64(record.responseBytes))))
    }

    /// Makes the test sessions' chains alongside the first requests, so that the first session does
    /// not wait for them.
    private static func prepareSessions(_ keys: KeyStore, log: Log) {
        Thread.detachNewThread {
            do {
                try keys.prepareTestChains()
            } catch {
                log.event(StoreEvent.requestFailed, ("why", .text("\(error)")))
            }
        }
    }
}
