import Foundation
import StoreKit

/// A small app for tests that has nothing but key values: does what its arguments say, in order,
/// and prints what it is told of.
///
/// `KeyValueProbe set=KEY=TEXT number=KEY=NUMBER switch=KEY=true bytes=KEY=COUNT file=KEY=PATH
/// keep=KEY=PATH remove=KEY print=KEY print-number=KEY print-switch=KEY until=KEY=TEXT heard
/// synchronize stay`
@main enum KeyValueProbe {
    private static let store = NSUbiquitousKeyValueStore.default
    private static let secondsMax = 120.0
    nonisolated(unsafe) private static var hasHeard = false

    static func main() {
        let listener = NotificationCenter.default.addObserver(
            forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store,
            queue: nil
        ) { note in
            let reason = note.userInfo?[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int
            let keys = note.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String]
            say("changed \(reason ?? -1) \((keys ?? []).joined(separator: ","))")
            hasHeard = true
            if !Thread.isMainThread { say("off the main thread") }
        }
        for argument in CommandLine.arguments.dropFirst() {
            let words = argument.split(separator: "=", maxSplits: 2).map(String.init)
            run(words[0], words.count > 1 ? words[1] : "", words.count > 2 ? words[2] : "")
        }
        hearRest()
        NotificationCenter.default.removeObserver(listener)
    }

    /// A value is there a moment before the news of it.
    private static func hearRest() {
        let end = Date(timeIntervalSinceNow: 0.5)
        while Date() < end { _ = RunLoop.main.run(mode: .default, before: end) }
    }

    private static func run(_ verb: String, _ key: String, _ text: String) {
        switch verb {
        case "set": store.set(text, forKey: key)
        case "number": store.set(Int64(text) ?? 0, forKey: key)
        case "switch": store.set(text == "true", forKey: key)
        case "file": store.set(FileManager.default.contents(atPath: text), forKey: key)
        case "keep":
            wait { store.data(forKey: key) != nil }
            _ = FileManager.default.createFile(atPath: text, contents: store.data(forKey: key))
        case "bytes": store.set(Data(count: Int(text) ?? 0), forKey: key)
        case "remove": store.removeObject(forKey: key)
        case "print": say("\(key) is \(store.string(forKey: key) ?? "nothing")")
        case "print-number": say("\(key) is \(store.longLong(forKey: key))")
        case "print-switch": say("\(key) is \(store.bool(forKey: key))")
        case "until": wait { store.string(forKey: key) == (text.isEmpty ? nil : text) }
        // A value is there a moment before the news of it.
        case "heard": wait { hasHeard }
        case "synchronize": say("synchronized \(store.synchronize())")
        case "stay": wait { false }
        default: say("unknown \(verb)")
        }
    }

    private static func wait(_ isEnough: () -> Bool) {
        let end = Date(timeIntervalSinceNow: secondsMax)
        while !isEnough(), Date() < end {
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02))
        }
    }

    /// A line at once, so that a kill loses none.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
