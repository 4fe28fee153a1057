import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// *Get All Subscription Statuses*: a customer's subscriptions, and those that their family shares
/// with them, by group.
enum SubscriptionStatuses {
    static func list(_ call: StoreCall, _ id: String) throws -> HTTPResponse {
        try ServerAPI.answer(call) { caller, scope in
            let account = try caller.account(id, scope)
            let wanted = try statuses(call.request.query)
            let items = try caller.maker.subscriptions(of: account, scope).filter {
                wanted.isEmpty || wanted.contains($0.status)
            }
            return { sign, json in try write(items, caller, sign, &json) }
        }
    }

    private static func statuses(
        _ query: [(name: String, value: String)]
    ) throws -> Set<SignedStatus> {
        Set(
            try query.filter { $0.name == "status" }.map {
                guard let number = Int($0.value), let status = SignedStatus(rawValue: number) else {
                    throw ServerAPIError.invalidStatus
                }
                return status
            })
    }

    private static func write(
        _ items: [SignedSubscription], _ caller: ServerAPICaller,
        _ sign: (ServerAPI.Payload) throws -> String, _ json: inout JSONWriter
    ) throws {
        caller.writeApp(to: &json)
        let groups = Dictionary(grouping: items, by: \.group).sorted { $0.key < $1.key }
        try json.array("data", groups) { json, group throws in
            try json.object { json throws in
                try json.array("lastTransactions", group.value) { json, item throws in
                    try json.object { json throws in
                        json.member("originalTransactionId", plain: "\(item.original)")
                        json.member("signedRenewalInfo", plain: try sign(item.renewal))
                        json.member("signedTransactionInfo", plain: try sign(item.transaction))
                        json.member("status", Int64(item.status.rawValue))
                    }
                }
                json.member("subscriptionGroupIdentifier", group.key)
            }
        }
        json.member("environment", plain: caller.maker.environmentName)
    }
}
