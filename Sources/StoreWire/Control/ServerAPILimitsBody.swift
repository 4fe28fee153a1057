/// `GET` and `PUT /control/v1/server-api/limits`: whether the App Store Server API limits requests.
package struct ServerAPILimitsBody: Codable, Hashable, Sendable {
    package let isOn: Bool
    /// The most requests an hour where Apple has more; absent for Apple's limits alone.
    package let hourlyMax: Int64?

    package init(isOn: Bool, hourlyMax: Int64?) {
        self.isOn = isOn
        self.hourlyMax = hourlyMax
    }
}
