/// How long a renewal of an auto-renewable subscription lasts, as catalogue files write it.
package enum RenewalPeriod: String, Codable, CaseIterable, Sendable {
    case week = "P1W"
    case month = "P1M"
    case twoMonths = "P2M"
    case threeMonths = "P3M"
    case sixMonths = "P6M"
    case year = "P1Y"
}
