import StoreModel
import Testing

@testable import AppStoreServer

/// The order in which fetched notifications are sent.
struct NotificationLineTests {
    private static let target = NotificationTarget(
        app: AppID(1), environment: .sandbox, url: "https://example.com/", version: .v2,
        allowsPrivateAddresses: false, certificateAuthority: nil, password: nil, disorder: nil)

    private func due(_ number: Int64, lane: Int64) -> DueNotification {
        DueNotification(
            number: NotificationNumber(number), lane: lane, dueAt: TestStore.start, attempts: 0,
            text: NotificationText(
                version: .v2, body: Array("{}".utf8), seal: nil, transaction: nil, renewal: nil))
    }

    private func line(_ found: [DueNotification], mayBeMore: Bool = false) -> NotificationLine {
        var line = NotificationLine(Self.target)
        line.add(found, mayBeMore: mayBeMore)
        return line
    }

    @Test func `those of one lane go one after the other, and others beside them`() {
        var line = line([due(1, lane: 7), due(2, lane: 7), due(3, lane: 8), due(4, lane: 7)])
        #expect(line.take()?.number == NotificationNumber(1))
        #expect(line.take()?.number == NotificationNumber(3))
        #expect(line.take() == nil)
        line.end(due(1, lane: 7), mayBeMore: false)
        #expect(line.take()?.number == NotificationNumber(2))
        #expect(line.take() == nil)
        line.end(due(2, lane: 7), mayBeMore: false)
        #expect(line.take()?.number == NotificationNumber(4))
        line.end(due(4, lane: 7), mayBeMore: false)
        #expect(!line.isIdle)
        line.end(due(3, lane: 8), mayBeMore: false)
        #expect(line.isIdle)
    }

    @Test func `no more go at once than an app may get`() {
        let count = Limits.notificationCallsPerAppMax
        var line = line((1...Int64(count + 5)).map { due($0, lane: $0) })
        for _ in 0..<count { #expect(line.take() != nil) }
        #expect(line.take() == nil)
        line.end(due(1, lane: 1), mayBeMore: false)
        #expect(line.take()?.number == NotificationNumber(Int64(count + 1)))
    }

    @Test func `what a lane added later waits for what it has under way`() {
        var line = line([due(1, lane: 7)])
        #expect(line.take() != nil)
        line.add([due(2, lane: 7)], mayBeMore: false)
        #expect(line.take() == nil)
        line.end(due(1, lane: 7), mayBeMore: false)
        #expect(line.take()?.number == NotificationNumber(2))
    }

    @Test func `an address that is gone leaves only what is under way`() {
        var line = line([due(1, lane: 7), due(2, lane: 7), due(3, lane: 8)], mayBeMore: true)
        #expect(line.take()?.number == NotificationNumber(1))
        _ = line.take()
        line.drop()
        #expect(line.held == [NotificationNumber(1), NotificationNumber(3)])
        line.end(due(3, lane: 8), mayBeMore: false)
        line.end(due(1, lane: 7), mayBeMore: false)
        #expect(line.isIdle && line.take() == nil)
    }
}
