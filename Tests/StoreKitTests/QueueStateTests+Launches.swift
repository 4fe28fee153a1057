import StoreModel
import StoreWire

@testable import StoreKit

// What a launch finds: the journal, another world, and lists that say otherwise.
extension QueueStateTests {
    static let launchRows: [Row] = [
        Row(
            name: "an empty journal asks for the list", events: [.journalLoaded([], [])],
            actions: ["list"]),
        Row(
            name: "what was never approved is dropped",
            events: [.journalLoaded([record("A", .written)], [])], actions: ["forget A", "list"]),
        Row(
            name: "what was approved is posted before the list",
            events: [.journalLoaded([record("A", .approved(account: "ada"))], [finish("7")])],
            actions: ["sendFinish 7", "post A 0"]),
        Row(
            name: "the list comes after its answer, which it repeats",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"))], []),
                .answered(key, .done(bought("1"), receiptRevision: 5)),
            ], actions: ["forget A", "list"]),
        Row(
            name: "and brings it in",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"))], []),
                .answered(key, .done(bought("1"), receiptRevision: 5)),
                .listed([bought("1")], receiptRevision: 5, ada),
            ], actions: ["receipt 5 transaction 1"]),
        Row(
            name: "an answer whose finish was written is not asked for again",
            events: [.journalLoaded([record("A", .approved(account: "ada"))], [answerFinish])],
            actions: ["sendFinish 7 to A", "forget A", "list"]),
        Row(
            name: "and its finish hides no transaction",
            events: [
                .journalLoaded([], [answerFinish]),
                .listed([bought("7", attempt: "B")], receiptRevision: 5, ada),
            ], actions: ["receipt 5 transaction 7"]),
        Row(
            name: "an unfinished answer is asked for again",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"))], []),
                .answered(key, .done(periodThatGoesOn, receiptRevision: 5)),
            ], actions: ["receipt 5 A", "list"]),
        Row(
            name: "and told again",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"))], []),
                .answered(key, .done(periodThatGoesOn, receiptRevision: 5)),
                .receiptReady([key]),
            ], actions: ["tell A purchased 7"]),
        Row(
            name: "the list answers what the post did not",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"))], []),
                .answered(key, .lost), .listed([bought("1")], receiptRevision: 5, ada),
            ], actions: ["receipt 5 A"]),
        Row(
            name: "failed ones and listed ones are told together",
            events: [
                .journalLoaded([record("B", .failed(reason))], []),
                .listed([bought("1", attempt: "Z")], receiptRevision: 5, ada),
                .receiptReady([QueueKey(attemptId: "B"), QueueKey(name("1"))]),
            ], actions: ["tell B failed 3, transaction 1 purchased 1"]),
        Row(
            name: "without a list the failed ones are told alone",
            events: [.journalLoaded([record("B", .failed(reason))], []), .listFailed],
            actions: ["tell B failed 3"]),
        Row(
            name: "a finish in the journal keeps the list from bringing it back",
            events: [
                .journalLoaded([], [finish("1")]), .listed([bought("1")], receiptRevision: 5, ada),
            ],
            actions: ["receipt 5 "]),
        Row(
            name: "an answer after the end is nothing",
            events: upToPost + [.answered(key, .refused(reason)), .answered(key, .lost)],
            actions: []),
        Row(
            name: "an approval that the journal may hold is in doubt",
            events: Array(upToPost.prefix(3)) + [
                .approvalUncertain(key), .answered(key, .rejected(reason)),
            ], actions: ["say"]),
        Row(
            name: "a finish that the store refuses hides nothing and asks for the list",
            events: upToSettled + [.finishCalled(key), .finishRefused(name("1"))],
            actions: ["removed A", "list"]),
        Row(
            name: "and the list brings the purchase back",
            events: upToSettled + [
                .finishCalled(key), .finishRefused(name("1")),
                .listed([bought("1")], receiptRevision: 5, ada),
            ], actions: ["receipt 5 transaction 1"]),
        Row(
            name: "a purchase of what was told as failed comes by itself",
            events: upToPost + [
                .answered(key, .refused(reason)),
                .listed([bought("1")], receiptRevision: 5, ada),
            ], actions: ["receipt 5 transaction 1"]),
        Row(
            name: "an approval of another world waits in silence",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"), world: "V")], []),
                .listed([], receiptRevision: 5, ada),
            ], actions: ["receipt 5 "]),
        Row(
            name: "and goes on when its world is back",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"), world: "V")], []),
                .worldMet("V"),
            ], actions: ["post A 0"]),
        Row(
            name: "one that turns out to be of another world is not told",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"))], []), .worldMet("V"),
                .answered(key, .otherWorld), .listFailed,
            ], actions: []),
        Row(
            name: "a failure of another world waits, too",
            events: [
                .journalLoaded([record("B", .failed(reason), world: "V")], []), .listFailed,
                .worldMet("V"),
            ], actions: ["tell B failed 3"]),
        Row(
            name: "a failure of no world takes the first one",
            events: [.journalLoaded([record("B", .failed(reason), world: nil)], []), .listFailed],
            actions: ["tell B failed 3"]),
        Row(
            name: "what was never approved is forgotten, whatever world it was meant for",
            events: [.journalLoaded([record("A", .written, world: "V")], [])],
            actions: ["forget A", "list"]),
        Row(
            name: "a finish of another world hides nothing here",
            events: [
                .journalLoaded([], [finish("1", world: "V")]),
                .listed([bought("1")], receiptRevision: 5, ada),
            ], actions: ["receipt 5 transaction 1"]),
        Row(
            name: "a settled purchase hides no number of the next world",
            events: upToSettled + [
                .worldMet("V"),
                .listed([bought("1", attempt: "Z")], receiptRevision: 2, adaElsewhere),
            ], actions: ["receipt 2 transaction 1"]),
        Row(
            name: "a list of the world before is nothing",
            events: [.worldMet("V"), .listed([bought("1")], receiptRevision: 5, ada)],
            actions: []),
        Row(
            name: "a payment not yet posted is asked for anew in another world",
            events: upToPost + [.worldMet("V"), .answered(key, .otherWorld)],
            actions: ["forget A", "write A"]),
        Row(
            name: "an approval under a lost guid is never posted",
            events: [.journalLoaded([record("A", .approved(account: "ada"), guid: "OLD")], [])],
            actions: ["say", "list"]),
        Row(
            name: "the list tells of it",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"), guid: "OLD")], []),
                .listed([bought("1", device: "OLD")], receiptRevision: 5, ada),
            ], actions: ["receipt 5 A"]),
        Row(
            name: "or it was not bought",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"), guid: "OLD")], []),
                .listed([], receiptRevision: 5, ada),
            ], actions: ["forget A", "receipt 5 "]),
        Row(
            name: "what the journal told of is told with the list's purchases",
            events: openAndListed + [.receiptReady([QueueKey(name("9"))])],
            actions: ["tell A purchasing, transaction 9 purchased 9"]),
        Row(
            name: "finished elsewhere before its receipt came, what the journal held is not told",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"))], []),
                .answered(key, .lost), .listed([bought("1")], receiptRevision: 5, ada),
                .updates([update(.finished, bought("1"))], receiptRevision: 6, ada),
                .receiptReady([key]),
            ], actions: []),
        Row(
            name: "it leaves the journal",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"))], []),
                .answered(key, .lost), .listed([bought("1")], receiptRevision: 5, ada),
                .updates([update(.finished, bought("1"))], receiptRevision: 6, ada),
            ], actions: ["forget A", "receipt 6 "]),
        Row(
            name: "bought and finished while its answer was lost, it leaves untold",
            events: lostAndFinished + [
                .answered(key, .done(finished("1"), receiptRevision: 6))
            ], actions: ["forget A", "removed A"]),
        Row(
            name: "and is not told later",
            events: lostAndFinished + [
                .answered(key, .done(finished("1"), receiptRevision: 6)), .receiptReady([key]),
            ], actions: []),
        Row(
            name: "what the journal held and the app was not told of leaves without a word",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"), world: "V")], []),
                .listed([], receiptRevision: 5, ada), .worldMet("V"),
                .answered(key, .done(finished("1"), receiptRevision: 6)),
            ], actions: ["forget A"]),
        Row(
            name: "news of a purchase that is finished by now are nothing",
            events: [
                .updates([update(.purchased, finished("9"))], receiptRevision: 5, ada)
            ], actions: ["receipt 5 "]),
        Row(
            name: "what a new list does not hold was finished elsewhere",
            events: upToSettled + [.listed([], receiptRevision: 6, ada)],
            actions: ["removed A", "receipt 6 "]),
        Row(
            name: "so was what finishing left in the same receipt",
            events: upToSettled + [.listed([], receiptRevision: 5, ada)],
            actions: ["removed A", "receipt 5 "]),
        Row(
            name: "a list from before the purchase says nothing of it",
            events: upToSettled + [.listed([], receiptRevision: 4, ada)], actions: ["receipt 4 "]),
        Row(
            name: "what a new list does not hold is not told when its receipt comes",
            events: upToDone + [.listed([], receiptRevision: 6, ada), .receiptReady([key])],
            actions: []),
        Row(
            name: "another account's list says nothing of it, either",
            events: upToSettled + [.listed([], receiptRevision: 6, bob)], actions: ["receipt 6 "]),
        Row(
            name: "what the app is finishing leaves when that is done",
            events: upToSettled + [.finishCalled(key), .listed([], receiptRevision: 6, ada)],
            actions: ["receipt 6 "]),
        Row(name: "events of strangers are nothing", events: [.finishCalled(key)], actions: []),
    ]
}
