/// What a product is in the older way of sorting sales; nothing is decided by it.
package enum SalesCategory: String, Codable, CaseIterable, Sendable {
    /// Books, pictures, levels, characters.
    case content
    /// Something the app can do from then on.
    case functionality
    /// Something done once for the person, such as a transcription.
    case service
    /// Content or services for a time.
    case subscription
}
