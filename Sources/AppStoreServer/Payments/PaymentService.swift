import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// Lists the payments asked of the provider.
enum PaymentService {
    /// `GET /control/v1/payments?after=…&state=…`, of all accounts and apps.
    static func list(_ call: StoreCall) throws -> PaymentsBody {
        let after = try call.request.after()
        let state: Payment.State? = try call.request.queryName("state")
        let page = try call.world.database.read { scope in
            try Page(of: Limits.paymentsPerAnswerMax) {
                try scope.namedPayments(after: after, in: state, countMax: $0)
            }
        }
        return PaymentsBody(
            payments: page.items.map { PaymentBody($0) }, next: page.next(\.number))
    }
}

extension PaymentBody {
    init(_ named: NamedPayment) {
        self.init(
            named.payment, account: named.account, bundleId: named.bundleID,
            refunds: named.refunds)
    }
}
