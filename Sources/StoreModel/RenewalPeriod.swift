/// The length of a renewal period of an auto-renewable subscription, as catalogue files write it.
package enum RenewalPeriod: String, Codable, CaseIterable, Sendable {
    case week = "P1W"
    case month = "P1M"
    case twoMonths = "P2M"
    case threeMonths = "P3M"
    case sixMonths = "P6M"
    case year = "P1Y"

    package var span: CalendarSpan {
        switch self {
        case .week: .days(7)
        case .month: .months(1)
        case .twoMonths: .months(2)
        case .threeMonths: .months(3)
        case .sixMonths: .months(6)
        case .year: .months(12)
        }
    }
}
