import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// *Extend Subscription Renewal Dates for All Active Subscribers*, and how far that is.
enum MassExtensions {
    /// Keeps the request, which `MassExtensionWorker` carries out. An identifier names one request
    /// for good: what comes with it later changes nothing.
    static func ask(_ call: StoreCall) async throws -> HTTPResponse {
        let time = call.world.time
        return try await ServerAPI.serve(call) { _ in
            let terms = try MassExtension.Terms(try ServerAPI.object(call))
            let isNew = try await call.context.commit { scope in
                let caller = try ServerAPICaller(call, scope.reading)
                let (app, place) = (caller.app.id, caller.environment)
                if try scope.reading.massExtension(terms.key, of: app, place) != nil {
                    return false
                }
                let product = try scope.reading.product(terms.product, of: app)
                guard product?.kind == .autoRenewable else {
                    throw ServerAPIError.invalidProductID
                }
                guard try scope.reading.openMassExtensionCount() < Limits.massExtensionsOpenMax
                else { throw ServerAPIError.rateLimitExceeded }
                try scope.add(terms, of: app, place, at: time.recordNow())
                return true
            }
            if isNew {
                call.world.massExtensions.wake()
                call.log.event(
                    StoreEvent.massExtensionAsked, ("request", .text(terms.key)),
                    ("product", .text(terms.product.rawValue)))
            }
            return try .json(
                encoding: MassExtendRenewalDateAnswer(requestIdentifier: terms.request))
        }
    }

    /// *Get Status of Subscription Renewal Date Extensions*.
    static func status(
        _ call: StoreCall, _ request: String, of product: String
    ) async throws -> HTTPResponse {
        try await ServerAPI.serve(call) { caller in
            guard TransactionHistory.isIdentifier(product) else {
                throw ServerAPIError.invalidProductID
            }
            guard isUUID(request) else { throw ServerAPIError.invalidRequestIdentifier }
            let found = try call.world.database.read {
                try $0.massExtension(request.lowercased(), of: caller.app.id, caller.environment)
            }
            guard let found, found.terms.product.rawValue == product else {
                throw ServerAPIError.statusRequestNotFound
            }
            return try .json(
                encoding: MassExtendRenewalDateStatusAnswer(
                    requestIdentifier: request, completeDate: found.completedAt,
                    succeededCount: found.succeeded, failedCount: found.failed))
        }
    }
}
