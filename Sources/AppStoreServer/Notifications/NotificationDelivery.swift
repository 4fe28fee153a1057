package import StoreCaller
import StoreModel

extension CallerLoop {
    /// Keeps as many connections to each receiver as it may get notifications at once.
    package static func forNotifications() -> CallerLoop {
        CallerLoop(
            callsMax: Limits.notificationCallsMax,
            connectionsPerHostMax: Limits.notificationCallsPerAppMax)
    }
}

extension NotificationTarget {
    /// The request that delivers a notification. No redirect is followed, and the answer's body is
    /// not wanted.
    func request(with body: [UInt8]) -> CallerRequest {
        var request = CallerRequest(
            method: "POST", url: url,
            headers: [("Content-Type", "application/json"), ("User-Agent", "Bodega")],
            body: body, timeoutMilliseconds: Limits.notificationMilliseconds,
            responseBodyMax: Limits.notificationAnswerBytesMax)
        request.certificateAuthority = certificateAuthority
        request.refusesPrivateAddresses = !allowsPrivateAddresses
        request.cutsLongAnswers = true
        return request
    }
}

extension SendAttemptResult {
    /// The result of an attempt that was answered. Source: Apple, *Responding to App Store Server
    /// Notifications*, for the statuses.
    init(_ answer: CallerResponse, _ version: NotificationVersion) {
        let isTaken =
            switch version {
            case .v1: answer.status == 200
            case .v2: (200...206).contains(answer.status)
            }
        self = isTaken ? .success : .unsuccessfulStatus
    }

    /// The result of an attempt without an answer; nil when the store itself ended it.
    init?(_ error: CallerError) {
        switch error.code {
        case .cancelled: return nil
        case .timedOut: self = .timedOut
        case .notTLS, .notTrusted: self = .tlsIssue
        case .unreachable: self = .socketIssue
        case .notAnswered: self = .noResponse
        case .incompleteAnswer, .connectionLost: self = .prematureClose
        case .badAnswer, .answerTooLarge: self = .invalidResponse
        case .badURL, .addressRefused, .other: self = .other
        }
    }
}
