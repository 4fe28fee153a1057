/// The refusals of a purchase, in the order they are looked for.
package enum RefusalCode: String, Codable, CaseIterable, Sendable {
    /// The quantity is not 1 to 10, or not 1 for a kind that is bought once.
    case quantityNotAllowed
    case productUnknown
    case productNotForSale
    /// This store does not sell this kind yet.
    case kindNotSold
    /// The environment takes no money yet.
    case productionClosed
}
