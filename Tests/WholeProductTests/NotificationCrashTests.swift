import CrashPoints
import Foundation
import StoreWire
import TestSupport
import Testing

/// Kills the store while it notifies an app's server; the next start goes on, with the same bytes.
@Suite(.ownThreads) struct NotificationCrashTests {
    static let points: [CrashPoint] = [
        .storeNotificationStored, .storeNotificationSigned, .storeNotificationSent,
        .storeNotificationNoted,
    ]

    @Test(arguments: points)
    func `a store killed while it notifies delivers each notification with the same bytes`(
        point: CrashPoint
    ) throws {
        let lab = try Lab.open(withBackend: false)
        let receiver = try ReceiverProgram(in: lab.folder)
        try lab.notify(receiver)
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(environment: ["BODEGA_CRASH_POINT": point.rawValue])
        let token = try lab.signedInDevice()
        let attempt = try WireJSON.encode(
            AttemptRequestBody(
                attemptId: UUID().uuidString, productId: "\(Lab.bundleID).fuel", quantity: 1,
                applicationUsername: nil))
        // The answer may be lost with the store, not the purchase: the point comes after it.
        _ = try? Lab.call(
            "POST", lab.storeURL + "/sandbox/device/v1/attempts", token: token, body: attempt)
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        try lab.startStore()
        let sold = try Lab.call(
            "POST", lab.storeURL + "/sandbox/device/v1/attempts", token: token, body: attempt)
        #expect(try WireJSON.decode(AttemptAnswerBody.self, from: sold.body).state == .done)
        try lab.bodega(["notification", "settle"])
        let taken = try receiver.taken()
        // Whether it was sent before is unknown at one point alone.
        #expect(taken.count == (point == .storeNotificationSent ? 2 : 1))
        #expect(Set(taken.map(\.body)).count == 1)
        let list = try lab.bodega(["notification", "list", "--json"])
        let listed = try WireJSON.decode(NotificationsBody.self, from: Array(list.utf8))
        #expect(listed.notifications.map(\.notificationType) == ["ONE_TIME_CHARGE"])
        #expect(listed.notifications[0].sendAttempts.map(\.sendAttemptResult) == ["SUCCESS"])
    }
}
