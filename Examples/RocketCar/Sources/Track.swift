import Foundation
import StoreKit

/// A track that was bought: its product's files come by tag, as on-demand resources of this version
/// of the app, after the receipt was checked. No restore and no sign-in is needed for that.
final class Track {
    /// The product that unlocks each tag.
    private static let products = ["moontrack": "com.example.rocketcar.moontrack"]

    enum End {
        case locked(product: String)
        /// The lines of the track's file, and whether it had to be fetched.
        case ready([String], wasFetched: Bool)
        case failed(String)
    }

    private let tag: String
    private let garage: Garage

    init(_ tag: String, garage: Garage) {
        self.tag = tag
        self.garage = garage
    }

    /// Fetches the track if its product is in the receipt, and reads it.
    func open() async -> End {
        guard let product = Self.products[tag] else { return .failed("there is no track \(tag)") }
        guard AppReceipt.own(of: garage)?.holds(product: product) == true else {
            return .locked(product: product)
        }
        let request = NSBundleResourceRequest(tags: [tag])
        request.loadingPriority = NSBundleResourceRequestLoadingPriorityUrgent
        let isHere = await request.conditionallyBeginAccessingResources()
        do {
            if !isHere { try await request.beginAccessingResources() }
        } catch {
            return .failed(Self.sentence(for: error as NSError))
        }
        defer { request.endAccessingResources() }
        guard let file = Bundle.main.url(forResource: tag, withExtension: "track"),
            let text = try? String(contentsOf: file, encoding: .utf8)
        else { return .failed("the track has no file \(tag).track") }
        return .ready(text.split(separator: "\n").map(String.init), wasFetched: !isHere)
    }

    private static func sentence(for error: NSError) -> String {
        guard error.domain == NSCocoaErrorDomain else { return error.localizedDescription }
        switch error.code {
        case NSBundleOnDemandResourceOutOfSpaceError: return "there is no room for the track"
        case NSBundleOnDemandResourceExceededMaximumSizeError: return "the track is too large"
        case NSBundleOnDemandResourceInvalidTagError:
            return "this version of the game does not have the track"
        default: return error.localizedDescription
        }
    }
}

extension Track {
    /// Shows the track of a script's command; gives the exit code.
    static func show(_ tag: String, garage: Garage) -> Int32 {
        // The request answers on other threads, so this one may wait.
        let answer = DispatchSemaphore(value: 0)
        let end = Answer()
        Task.detached {
            end.value = await Track(tag, garage: garage).open()
            answer.signal()
        }
        answer.wait()
        switch end.value {
        case .ready(let lines, let wasFetched):
            Say.event("track", tag, wasFetched ? "fetched" : "here")
            for line in lines { Say.event("|", line) }
            return 0
        case .locked(let product):
            Say.event("track", tag, "locked: buy \(product)")
            return 1
        case .failed(let sentence):
            Say.trouble(sentence)
            return 1
        }
    }

    /// Written before the semaphore is signalled, read after.
    private final class Answer: @unchecked Sendable {
        var value = End.failed("there was no answer")
    }
}
