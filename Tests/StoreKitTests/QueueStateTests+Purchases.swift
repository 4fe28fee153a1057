import StoreModel
import StoreWire

@testable import StoreKit

// A purchase from its payment to its end, on one device of one account.
extension QueueStateTests {
    static let purchaseRows: [Row] = [
        Row(
            name: "a payment is told, then written", events: [added],
            actions: ["tell A purchasing", "write A"]),
        Row(
            name: "the sheet comes after the journal", events: [added, .attemptWritten(key)],
            actions: ["sheet A"]),
        Row(
            name: "the approval is written before the post", events: Array(upToPost.prefix(3)),
            actions: ["write A"]),
        Row(name: "the post comes last", events: upToPost, actions: ["post A 0"]),
        Row(
            name: "a cancelled sheet fails",
            events: Array(upToPost.prefix(2)) + [.sheetEnded(key, .ended(SheetFlow.cancelled))],
            actions: ["write A", "tell A failed 2"]),
        Row(
            name: "the receipt comes before the observer", events: upToDone,
            actions: ["receipt 5 A"]),
        Row(
            name: "then the observer is told", events: upToSettled,
            actions: ["forget A", "tell A purchased 1"]),
        Row(
            name: "another plan is answered with the period that goes on, whoever finished it",
            events: upToPost + [.answered(key, .done(periodThatGoesOn, receiptRevision: 5))],
            actions: ["receipt 5 A"]),
        Row(
            name: "that stays in the journal when it is told",
            events: upToPost + [.answered(key, .done(periodThatGoesOn, receiptRevision: 5))]
                + [.receiptReady([key])], actions: ["tell A purchased 7"]),
        Row(
            name: "its finish is written by itself", events: upToAnswer + [.finishCalled(key)],
            actions: ["writeFinish 7 to A ada"]),
        Row(
            name: "then it leaves the journal and is sent",
            events: upToAnswer + [.finishCalled(key), .finishWritten(key)],
            actions: ["forget A", "sendFinish 7 to A"]),
        Row(
            name: "and leaves the queue once the store has it",
            events: upToAnswer + [
                .finishCalled(key), .finishWritten(key), .finishSent(answerFinish.name),
            ], actions: ["removed A"]),
        Row(
            name: "one that the journal refuses stays",
            events: upToAnswer + [.finishCalled(key), .finishNotWritten(key), .finishCalled(key)],
            actions: ["writeFinish 7 to A ada"]),
        Row(
            name: "one that the store refuses leaves, and the period stays",
            events: upToAnswerAndPeriod + [
                .finishCalled(key), .finishWritten(key), .finishRefused(answerFinish.name),
                .finishCalled(QueueKey(name("7"))),
            ], actions: ["writeFinish 7 ada"]),
        Row(
            name: "an answer that was finished before leaves",
            events: upToPost + [.answered(key, .done(finishedAnswer, receiptRevision: 5))],
            actions: ["forget A", "removed A"]),
        Row(
            name: "a list without it does not take it away",
            events: upToAnswer + [.listed([], receiptRevision: 6, ada)], actions: ["receipt 6 "]),
        Row(
            name: "a list with the unfinished period brings that by itself",
            events: upToAnswer + [
                .listed([bought("7", attempt: "B")], receiptRevision: 6, ada)
            ], actions: ["receipt 6 transaction 7"]),
        Row(
            name: "finishing the period leaves the answer",
            events: upToAnswerAndPeriod + [
                .finishCalled(QueueKey(name("7"))), .finishWritten(QueueKey(name("7"))),
                .finishSent(name("7")),
            ], actions: ["removed transaction 7"]),
        Row(
            name: "finishing the answer leaves the period",
            events: upToAnswerAndPeriod + [
                .finishCalled(key), .finishWritten(key), .finishSent(answerFinish.name),
                .finishCalled(QueueKey(name("7"))),
            ], actions: ["writeFinish 7 ada"]),
        Row(
            name: "the period finished elsewhere leaves the answer",
            events: upToAnswerAndPeriod + [
                .updates([update(.finished, bought("7", attempt: "B"))], receiptRevision: 6, ada)
            ], actions: ["receipt 6 ", "removed transaction 7"]),
        Row(
            name: "an answer is hidden from another account", events: upToAnswer + [.signedIn(bob)],
            actions: ["hide A"]),
        Row(
            name: "and shown to its own again",
            events: upToAnswer + [.signedIn(bob), .signedIn(ada)],
            actions: ["tell A purchased 7"]),
        Row(
            name: "a second answer changes nothing",
            events: upToSettled + [.answered(key, .done(bought("1"), receiptRevision: 5))],
            actions: []),
        Row(
            name: "a lost answer is asked for again", events: upToPost + [.answered(key, .lost)],
            actions: ["post A 1"]),
        Row(
            name: "lost twice waits longer",
            events: upToPost + [.answered(key, .lost), .answered(key, .lost)],
            actions: ["post A 2"]),
        Row(
            name: "a refusal fails", events: upToPost + [.answered(key, .refused(reason))],
            actions: ["write A", "tell A failed 3"]),
        Row(
            name: "a request never taken fails",
            events: upToPost + [.answered(key, .rejected(reason))],
            actions: ["write A", "tell A failed 3"]),
        Row(
            name: "one perhaps taken before is held",
            events: upToPost + [.answered(key, .lost), .answered(key, .rejected(reason))],
            actions: ["say"]),
        Row(
            name: "signed out before any post asks again",
            events: upToPost + [.answered(key, .signedOut)], actions: ["forget A", "write A"]),
        Row(
            name: "with the sheet, once the approval is out of the journal",
            events: upToPost + [.answered(key, .signedOut), .attemptWritten(key)],
            actions: ["sheet A"]),
        Row(
            name: "and fails when the journal takes nothing",
            events: upToPost + [.answered(key, .signedOut), .attemptRefused(key, reason)],
            actions: ["tell A failed 3"]),
        Row(
            name: "signed out in doubt is held",
            events: upToPost + [.answered(key, .lost), .answered(key, .signedOut)],
            actions: ["say"]),
        Row(
            name: "its account sets it free",
            events: upToPost + [
                .answered(key, .lost), .answered(key, .signedOut), .signedIn(ada),
            ], actions: ["post A 0"]),
        Row(
            name: "another account does not, and does not see it",
            events: upToPost + [
                .answered(key, .lost), .answered(key, .signedOut), .signedIn(bob),
            ], actions: ["hide A"]),
        Row(
            name: "an update stands for a lost answer",
            events: upToPost + [
                .answered(key, .lost),
                .updates([update(.purchased, bought("1"))], receiptRevision: 7, ada),
            ], actions: ["receipt 7 A"]),
        Row(
            name: "an update of a known purchase says nothing new",
            events: upToSettled + [
                .updates([update(.purchased, bought("1"))], receiptRevision: 5, ada)
            ],
            actions: ["receipt 5 "]),
        Row(
            name: "bought and finished elsewhere is nothing",
            events: [
                .updates(
                    [
                        update(.purchased, bought("9", device: "X")),
                        update(.finished, bought("9", device: "X")),
                    ], receiptRevision: 5, ada)
            ], actions: ["receipt 5 "]),
        Row(
            name: "bought elsewhere comes in",
            events: [
                .updates([update(.purchased, bought("9", device: "X"))], receiptRevision: 5, ada)
            ],
            actions: ["receipt 5 transaction 9"]),
        Row(
            name: "the same attempt id of another device is another purchase",
            events: upToPost + [
                .updates([update(.purchased, bought("9", device: "X"))], receiptRevision: 5, ada)
            ], actions: ["receipt 5 transaction 9"]),
        Row(
            name: "finished elsewhere leaves",
            events: upToSettled + [
                .updates([update(.finished, bought("1"))], receiptRevision: 6, ada)
            ],
            actions: ["receipt 6 ", "removed A"]),
        Row(
            name: "a finish is written first", events: upToSettled + [.finishCalled(key)],
            actions: ["writeFinish 1 ada"]),
        Row(
            name: "then sent", events: upToSettled + [.finishCalled(key), .finishWritten(key)],
            actions: ["sendFinish 1"]),
        Row(
            name: "finishing twice is finishing once",
            events: upToSettled + [.finishCalled(key), .finishCalled(key)], actions: []),
        Row(
            name: "a finish that cannot be written may be tried again",
            events: upToSettled + [.finishCalled(key), .finishNotWritten(key), .finishCalled(key)],
            actions: ["writeFinish 1 ada"]),
        Row(
            name: "sent, it leaves",
            events: upToSettled + [.finishCalled(key), .finishSent(name("1"))],
            actions: ["removed A"]),
        Row(
            name: "put off, it leaves as well",
            events: upToSettled + [.finishCalled(key), .finishPutOff(name("1"))],
            actions: ["removed A"]),
        Row(
            name: "put off, then sent, it leaves once",
            events: upToSettled + [
                .finishCalled(key), .finishPutOff(name("1")),
                .finishSent(name("1")),
            ], actions: []),
        Row(
            name: "finished, it does not come back in a list",
            events: upToSettled + [
                .finishCalled(key), .finishSent(name("1")),
                .listed([bought("1")], receiptRevision: 5, ada),
            ], actions: ["receipt 5 "]),
        Row(
            name: "a failed one only leaves the journal",
            events: upToPost + [.answered(key, .refused(reason)), .finishCalled(key)],
            actions: ["forget A", "removed A"]),
    ]
}
