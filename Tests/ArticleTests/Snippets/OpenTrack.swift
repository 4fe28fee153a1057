import StoreKit

// begin
func openTrack() async throws -> URL? {
    let request = NSBundleResourceRequest(tags: ["moontrack"])
    request.loadingPriority = NSBundleResourceRequestLoadingPriorityUrgent
    if await !request.conditionallyBeginAccessingResources() {
        try await request.beginAccessingResources()
    }
    defer { request.endAccessingResources() }
    return Bundle.main.url(forResource: "moon", withExtension: "track")
}
// end
