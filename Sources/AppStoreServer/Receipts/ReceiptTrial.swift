import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

/// The special state that an app in the sandbox requests for its receipt, to test how it reacts.
struct ReceiptTrial: Sendable {
    /// The receipt has expired.
    let isExpired: Bool
    /// Every purchase in it was taken back.
    let isRevoked: Bool
    /// It comes from the Volume Purchase Program.
    let isVolumePurchase: Bool

    /// From the query items `expired`, `revoked` and `volume`, which production refuses.
    init(_ request: HTTPRequest, in environment: StoreEnvironment) throws {
        isExpired = try Self.isOn("expired", request)
        isRevoked = try Self.isOn("revoked", request)
        isVolumePurchase = try Self.isOn("volume", request)
        if environment == .production, isExpired || isRevoked || isVolumePurchase {
            throw Refusal(
                400, "badQuery", "expired, revoked and volume work in the sandbox only.")
        }
    }

    private static func isOn(_ name: String, _ request: HTTPRequest) throws -> Bool {
        switch try request.queryNumber(name) {
        case nil, 0: return false
        case 1: return true
        default: throw Refusal(400, "badQuery", "\(name) is 0 or 1.")
        }
    }

    private static let dayMilliseconds: Int64 = 86_400_000

    func applied(to payload: ReceiptPayload) -> ReceiptPayload {
        var tried = payload
        if isExpired {
            tried.expiresAt = payload.createdAt.adding(milliseconds: -Self.dayMilliseconds)
        }
        if isVolumePurchase { tried.receiptType = "ProductionVPPSandbox" }
        if isRevoked {
            let revocation = Revocation(reason: .other, at: payload.createdAt)
            tried.purchases = payload.purchases.map { purchase in
                var purchase = purchase
                purchase.cancel(revocation)
                return purchase
            }
        }
        return tried
    }
}
