package import StoreModel

/// `GET /control/v1/overview`: a world at a glance.
package struct OverviewBody: Codable, Hashable, Sendable {
    package let world: WorldBody
    package let clock: ClockBody
    package let apps: Int
    /// Production, and then the sandbox.
    package let environments: [EnvironmentOverviewBody]

    package init(
        world: WorldBody, clock: ClockBody, apps: Int, environments: [EnvironmentOverviewBody]
    ) {
        self.world = world
        self.clock = clock
        self.apps = apps
        self.environments = environments
    }
}

/// What one environment of a world has, as far as was counted.
package struct EnvironmentOverviewBody: Codable, Hashable, Sendable {
    package let environment: StoreEnvironment
    /// Without deleted ones.
    package let accounts: CountBody
    package let devices: CountBody
    /// Without restored copies.
    package let transactions: CountBody
    package let subscriptions: SubscriptionCountsBody
    /// Refund requests that are not decided.
    package let refundRequests: CountBody
    /// Purchases that wait for somebody's approval.
    package let approvals: CountBody
    /// Purchases that were interrupted, and wait for the customer.
    package let interruptions: CountBody
    /// Purchases that wait for their payment.
    package let payments: CountBody
    /// Notifications whose last attempt failed, even if another is to come.
    package let failedNotifications: CountBody

    package init(
        environment: StoreEnvironment, accounts: CountBody, devices: CountBody,
        transactions: CountBody, subscriptions: SubscriptionCountsBody,
        refundRequests: CountBody, approvals: CountBody, interruptions: CountBody,
        payments: CountBody, failedNotifications: CountBody
    ) {
        self.environment = environment
        self.accounts = accounts
        self.devices = devices
        self.transactions = transactions
        self.subscriptions = subscriptions
        self.refundRequests = refundRequests
        self.approvals = approvals
        self.interruptions = interruptions
        self.payments = payments
        self.failedNotifications = failedNotifications
    }
}
