import Foundation
import Testing

@testable import RocketCar

/// What scripts read and what a person is told.
@Suite struct NewsTests {
    struct Row: Sendable {
        let news: News
        let line: String
        let message: String?
    }

    static let rows: [Row] = [
        Row(news: .purchasing(product: "p"), line: "purchasing p", message: nil),
        Row(
            news: .deferred(product: "p"), line: "deferred p",
            message: "Title of p is waiting for approval. You can keep playing."),
        Row(news: .purchased(product: "p", transaction: "7"), line: "purchased p 7", message: nil),
        Row(
            news: .restored(product: "p", transaction: "8", original: "7"), line: "restored p 8 7",
            message: nil),
        Row(news: .cancelled(product: "p"), line: "cancelled p", message: nil),
        Row(
            news: .failed(product: "p", message: "No."), line: "failed p No.",
            message: "Title of p was not bought. No."),
        Row(news: .finished(product: "p", transaction: "7"), line: "finished p 7", message: nil),
        Row(
            news: .left(product: "p", transaction: "7"), line: "left p 7 belongs to another player",
            message: "Title of p was bought for another player."),
        Row(
            news: .largeDownload(product: "p", transaction: "7", bytes: 30_000_000),
            line: "large-download p 7 30000000",
            message: "Title of p is yours, a download of 30 MB: start it under Downloads."),
        Row(
            news: .delivered(product: "p", transaction: "7", name: "p.txt"),
            line: "delivered p 7 p.txt", message: "Title of p is yours."),
        Row(
            news: .delivered(product: Garage.turbo, transaction: "7", name: "t.txt"),
            line: "delivered \(Garage.turbo) 7 t.txt", message: nil),
        Row(
            news: .unlocked(.byReceipt), line: "unlocked \(Garage.turbo) receipt",
            message: "The turbo is unlocked. Hold on tight!"),
        Row(
            news: .fuel(litres: 200, isNew: true), line: "fuel 200 filled",
            message: "The tank is filled: 200 litres."),
        Row(news: .fuel(litres: 200, isNew: false), line: "fuel 200 known", message: nil),
        Row(
            news: .kept(product: "p", transaction: "7", reason: "no backend"),
            line: "kept p 7 no backend",
            message: "Title of p is paid for and cannot be delivered now: no backend. "
                + "It is retried at the next start, or press t."),
        Row(
            news: .refused(product: "p", transaction: "7", reason: "r", message: "Not yours."),
            line: "refused p 7 r Not yours.",
            message: "The game server refuses Title of p: Not yours."),
        Row(
            news: .subscription(
                product: "p", state: "active", until: Date(timeIntervalSince1970: 1_777_593_600)),
            line: "subscription p active until 2026-05-01T00:00:00Z", message: nil),
        Row(
            news: .drained(litres: 100), line: "fuel 100 drained",
            message: "Fuel was refunded; the tank holds 100 litres."),
        Row(
            news: .chosen(product: "p", from: Date(timeIntervalSince1970: 1_777_593_600)),
            line: "chosen p from 2026-05-01T00:00:00Z",
            message: "Title of p begins with the next renewal."),
        Row(
            news: .takenBack(product: "p"), line: "taken-back p",
            message: "Title of p was taken back."),
        Row(news: .ended(product: "p"), line: "ended p", message: "Title of p has ended."),
        Row(news: .restoreFinished, line: "restore-finished", message: nil),
        Row(news: .restoreCancelled, line: "restore-cancelled", message: nil),
        Row(
            news: .restoreFailed(message: "No."), line: "restore-failed No.",
            message: "Nothing could be restored. No."),
        Row(
            news: .revoked(products: ["p", "q"]), line: "revoked p q",
            message: "No longer yours: Title of p, Title of q."),
    ]

    @Test(arguments: rows)
    func `news give a line for scripts and a sentence for people`(row: Row) {
        #expect(row.news.line == row.line)
        #expect(row.news.message { "Title of \($0)" }?.text == row.message)
    }
}
