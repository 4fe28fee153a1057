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

    @Test func `what was not fetched because enough was ready is fetched when that runs out`() {
        let many = (1...Int64(Limits.notificationCallsPerAppMax + 70)).map { due($0, lane: $0) }
        var line = line(many)
        for _ in 0..<Limits.notificationCallsPerAppMax { _ = line.take() }
        #expect(line.beginFetch() == nil)
        #expect(!line.wantsMore)
        for number in 1...20 {
            line.end(due(Int64(number), lane: Int64(number)), mayBeMore: false)
            _ = line.take()
        }
        #expect(line.wantsMore)
        #expect(line.beginFetch() == line.held)
        line.add([], mayBeMore: false)
        #expect(!line.wantsMore)
    }

    @Test func `a retry that becomes due while the file is read is fetched next`() {
        var line = line([due(1, lane: 7)])
        _ = line.take()
        _ = line.beginFetch()
        line.end(due(1, lane: 7), mayBeMore: true)
        line.add([], mayBeMore: false)
        #expect(line.wantsMore)
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
