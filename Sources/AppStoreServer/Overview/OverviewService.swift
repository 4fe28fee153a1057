import StoreDatabase
import StoreModel
import StoreService
import StoreWire

/// Shows a world at a glance.
enum OverviewService {
    /// `GET /control/v1/overview`
    static func show(_ call: StoreCall) throws -> OverviewBody {
        let (apps, environments) = try call.world.database.read { scope in
            (
                try scope.appCount(),
                try StoreEnvironment.allCases.map { try EnvironmentOverviewBody($0, scope) }
            )
        }
        return OverviewBody(
            world: WorldBody(call.world), clock: try ClockService.body(call.context),
            apps: apps, environments: environments)
    }
}

extension EnvironmentOverviewBody {
    fileprivate init(_ environment: StoreEnvironment, _ scope: borrowing ReadScope) throws {
        self.init(
            environment: environment, accounts: try scope.count(.accounts, in: environment),
            devices: try scope.count(.devices, in: environment),
            transactions: try scope.count(.transactions, in: environment),
            subscriptions: try scope.subscriptionCounts(in: environment),
            refundRequests: try scope.count(.refundRequests, in: environment),
            approvals: try scope.count(.approvals, in: environment),
            interruptions: try scope.count(.interruptions, in: environment),
            payments: try scope.count(.payments, in: environment),
            failedNotifications: try scope.count(.failedNotifications, in: environment))
    }
}
