import CStoreKit
import Foundation

/// Where one download stands.
struct DownloadState: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
        /// It has not been requested, in this launch or before.
        case waiting
        /// Requested; its turn has not come.
        case queued
        /// It has its turn. When not active, it is waiting for a network or for another process.
        case loading(run: Int, isActive: Bool)
        /// Requested, but its account is not signed in, or its world is unavailable.
        case absent
        case paused
        case finished
        case failed(FailureReason)
        case cancelled
    }

    let offer: DownloadOffer
    /// The version that was begun; nil before the store has listed its files.
    var begunVersion: String?
    /// The size of the version being loaded, in bytes.
    var contentLength: Int64
    var arrivedBytes: Int64
    var stage: Stage
    var pace: DownloadPace?
    /// When observers were last notified, in milliseconds of a monotonic clock.
    var toldAt: Int64?
    /// Whether the last news observers got is that it is finished; its files may have been checked
    /// again since.
    var isToldFinished: Bool

    /// Whether the app wants it, and nothing but time keeps it from arriving.
    var isWanted: Bool {
        switch stage {
        case .queued, .loading, .absent: true
        case .waiting, .paused, .finished, .failed, .cancelled: false
        }
    }

    var isLoading: Bool {
        if case .loading = stage { true } else { false }
    }

    /// What the journal keeps of it; nil when that is nothing.
    func record(scope: StoreScope) -> DownloadRecord? {
        let kept: DownloadRecord.Stage
        switch stage {
        case .queued, .loading, .absent: kept = .started
        case .paused: kept = .paused
        case .failed: kept = .kept
        case .finished: kept = .finished
        case .waiting, .cancelled: return nil
        }
        return DownloadRecord(
            transactionId: offer.name.transactionId, customer: offer.customer, scope: scope,
            contentVersion: begunVersion, contentLength: contentLength, stage: kept)
    }

    /// What the app sees of it. `contentURL` is the content's location once it is finished.
    func presented(contentURL: URL?) -> PresentedDownload {
        var presented = PresentedDownload()
        presented.contentIdentifier = offer.contentIdentifier
        presented.contentVersion = begunVersion ?? offer.contentVersion
        presented.expectedContentLength = contentLength
        presented.progress = progress
        switch stage {
        case .waiting, .queued, .absent, .loading(run: _, isActive: false):
            presented.state = .waiting
        case .loading(run: _, isActive: true):
            presented.state = .active
            presented.timeRemaining =
                pace?.timeRemaining(until: contentLength) ?? SKDownloadTimeRemainingUnknown
        case .paused: presented.state = .paused
        case .finished:
            presented.state = .finished
            presented.timeRemaining = 0
            presented.contentURL = contentURL
        case .failed(let reason):
            presented.state = .failed
            presented.failure = reason
        case .cancelled: presented.state = .cancelled
        }
        return presented
    }

    private var progress: Float {
        if stage == .finished { return 1 }
        guard contentLength > 0 else { return 0 }
        return Float(min(1, Double(arrivedBytes) / Double(contentLength)))
    }
}

extension DownloadState {
    /// Its state at this launch. `bytesOnDisk` is what has arrived before.
    ///
    /// A failed download waits to be requested again; so does a finished one when the app has
    /// removed its files.
    init(
        _ offer: DownloadOffer, _ record: DownloadRecord?, bytesOnDisk: Int64, isWhole: Bool
    ) {
        self.offer = offer
        let isOurs = record?.customer == offer.customer
        begunVersion = isOurs ? record?.contentVersion : nil
        contentLength =
            begunVersion == nil ? offer.contentLength : record?.contentLength ?? 0
        arrivedBytes = begunVersion == nil ? 0 : min(bytesOnDisk, contentLength)
        switch isOurs ? record?.stage : nil {
        case .started: stage = .queued
        case .paused: stage = .paused
        case .finished where isWhole: stage = .finished
        case .finished, .kept, nil: stage = .waiting
        }
        isToldFinished = stage == .finished
    }
}
