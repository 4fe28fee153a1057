import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// Lists what the payment provider was asked.
enum PaymentService {
    /// `GET /control/v1/payments?after=…&state=…`, of all accounts and apps.
    static func list(_ call: StoreCall) throws -> PaymentsBody {
        let after = try call.request.queryNumber("after") ?? 0
        let state: Payment.State? = try call.request.queryName("state")
        let countMax = Limits.paymentsPerAnswerMax
        return try call.world.database.read { scope in
            let found = try scope.namedPayments(
                after: after, in: state, countMax: countMax + 1)
            return PaymentsBody(
                payments: found.prefix(countMax).map { PaymentBody($0) },
                next: found.count > countMax ? found[countMax - 1].number : nil)
        }
    }
}

extension PaymentBody {
    fileprivate init(_ named: NamedPayment) {
        self.init(
            named.payment, account: named.account, bundleId: named.bundleID,
            refunds: named.refunds)
    }
}
