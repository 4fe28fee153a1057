import Foundation
import Glibc
import StoreWire
import TestSupport
import Testing

@testable import StoreKit

/// The sheets, the terminal's over a real pseudo-terminal.
@Suite(.ownThreads) struct SheetTests {
    static let prompt = SheetPrompt(
        productIdentifier: "p", quantity: 2, title: "Rocket\u{1B}[2J fuel", price: "$3.98",
        account: "ada")

    /// A person at a pseudo-terminal who has typed this already.
    final class Person: Sendable {
        let master: Int32
        let path: String

        init(typing text: String) throws {
            master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
            // TIOCSPTLCK with 0 unlocks the other end, TIOCGPTN gives its number.
            var lock: Int32 = 0
            var number: Int32 = 0
            guard master >= 0, ioctl(master, 0x4004_5431, &lock) == 0,
                ioctl(master, 0x8004_5430, &number) == 0
            else { throw RawServer.Failure() }
            path = "/dev/pts/\(number)"
            type(text)
        }

        func type(_ text: String) {
            _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
        }

        /// What the screen shows from now on up to a text, for a minute at most: what the other
        /// end wrote comes over in pieces.
        func waits(for text: String) -> String {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 4_096)
            let end = Date(timeIntervalSinceNow: 60)
            while Date() < end, !String(decoding: bytes, as: UTF8.self).contains(text) {
                var wait = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
                guard poll(&wait, 1, 100) > 0 else { continue }
                bytes += chunk[..<max(read(master, &chunk, chunk.count), 0)]
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        deinit {
            close(master)
        }
    }

    @Test(arguments: [("b\n", true), ("BUY\n", true), ("what?\nb\n", true), ("c\n", false)])
    func `the customer buys or cancels on the terminal sheet`(typed: String, isBought: Bool) throws
    {
        let person = try Person(typing: typed)
        // The slave is kept open, so that what was typed is not lost between two opens.
        let keeper = open(person.path, O_RDWR | O_NOCTTY)
        defer { close(keeper) }
        let sheet = TerminalSheet(suggestedAccount: nil, terminalPath: person.path)
        #expect(sheet.approve(Self.prompt) == (isBought ? .given(true) : .cancelled))
        let screen = person.waits(for: "as ada?")
        #expect(screen.contains("Buy 2 × Rocket?[2J fuel for $3.98 as ada?"))
        #expect(!screen.contains("\u{1B}"))
    }

    @Test(
        arguments: [
            ("a\n", .given(true)), ("what?\nAGREE\n", .given(true)), ("d\n", .given(false)),
            ("l\n", .cancelled), ("later\n", .cancelled),
        ] as [(String, SheetAnswer<Bool>)])
    func `the customer agrees to a price, declines it or leaves it for later`(
        typed: String, answer: SheetAnswer<Bool>
    ) throws {
        let person = try Person(typing: typed)
        let keeper = open(person.path, O_RDWR | O_NOCTTY)
        defer { close(keeper) }
        let sheet = TerminalSheet(suggestedAccount: nil, terminalPath: person.path)
        let prompt = PriceConsentPrompt(
            productIdentifier: "p", title: "Rocket\u{1B}[2J club", oldPrice: "$1.99",
            newPrice: "$2.99", account: "ada")
        #expect(sheet.consent(to: prompt) == answer)
        let screen = person.waits(for: "as ada?")
        #expect(
            screen.contains(
                "Rocket?[2J club will cost $2.99 from the next renewal, now $1.99. "
                    + "Continue as ada?"))
        #expect(!screen.contains("\u{1B}"))
    }

    @Test func `a customer signs in without the password on the screen`() async throws {
        let person = try Person(typing: "\n")
        let keeper = open(person.path, O_RDWR | O_NOCTTY)
        defer { close(keeper) }
        var modes = termios()
        tcgetattr(keeper, &modes)
        let sheet = TerminalSheet(suggestedAccount: "ada", terminalPath: person.path)
        let typist = Thread {
            // The password is typed when it is asked for and the terminal is silent: what came
            // before is thrown away.
            _ = person.waits(for: "Password: ")
            while Self.echoes(keeper) { usleep(2_000) }
            person.type("secrex\u{7F}t\n")
        }
        typist.start()
        let answer = sheet.signIn(Self.prompt, trouble: nil)
        #expect(
            answer == .given(StoreConfiguration.Account(name: "ada", password: "secret")))
        _ = Array("at the end".utf8).withUnsafeBytes { write(keeper, $0.baseAddress, $0.count) }
        #expect(!person.waits(for: "at the end").contains("secre"))
        var after = termios()
        tcgetattr(keeper, &after)
        #expect(after.c_lflag == modes.c_lflag)
    }

    static func echoes(_ file: Int32) -> Bool {
        var modes = termios()
        tcgetattr(file, &modes)
        return modes.c_lflag & tcflag_t(ECHO) != 0
    }

    @Test func `a sheet without a terminal cancels`() {
        let sheet = TerminalSheet(suggestedAccount: nil, terminalPath: "/nowhere/tty")
        #expect(sheet.approve(Self.prompt) == .cancelled)
        #expect(sheet.signIn(Self.prompt, trouble: nil) == .cancelled)
        let price = PriceConsentPrompt(
            productIdentifier: "p", title: nil, oldPrice: "1", newPrice: "2", account: "ada")
        #expect(sheet.consent(to: price) == .cancelled)
    }

    /// Answers sign-in with a list of passwords, and approves.
    final class ScriptedSheet: PaymentSheet {
        let passwords: Box
        final class Box: @unchecked Sendable {
            var left: [String]
            var troubles: [String?] = []
            var shown: [String] = []
            init(_ left: [String]) { self.left = left }
        }
        init(_ passwords: [String]) { self.passwords = Box(passwords) }

        var showsDetails: Bool { true }
        func signIn(
            _ prompt: SheetPrompt, trouble: String?
        ) -> SheetAnswer<StoreConfiguration.Account> {
            passwords.troubles.append(trouble)
            guard !passwords.left.isEmpty else { return .cancelled }
            return .given(.init(name: "ada", password: passwords.left.removeFirst()))
        }
        func approve(_ prompt: SheetPrompt) -> SheetAnswer<Bool> {
            passwords.shown.append("\(prompt.title ?? "") \(prompt.price ?? "")")
            return .given(true)
        }
        func show(_ sentence: String) { passwords.shown.append(sentence) }
    }

    @Test func `a wrong password is asked for again on the sheet`() async throws {
        let shop = try Shop()
        let sheet = ScriptedSheet(["wrong", FakeStore.password])
        let app = try shop.launch(sheet: sheet).start()
        app.buy(Shop.fuel, quantity: 2)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(sheet.passwords.troubles == [nil, "Wrong name or password."])
        #expect(sheet.passwords.shown == ["Title of \(Shop.fuel) $3.98"])
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 2 }
        #expect(sheet.passwords.troubles.count == 2)
    }

    @Test func `three wrong passwords cancel the sheet`() async throws {
        let shop = try Shop()
        let sheet = ScriptedSheet(["a", "b", "c", FakeStore.password])
        let app = try shop.launch(sheet: sheet).start()
        app.buy(Shop.fuel)
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(app.observer.heard.failed.first?.code == .paymentCancelled)
        #expect(sheet.passwords.left == [FakeStore.password])
        #expect(shop.store.transactions.isEmpty)
    }

    @Test func `processes that start together show one sign-in sheet`() async throws {
        let shop = try Shop()
        let apps = try (0..<4).map { _ in try shop.launch().start() }
        for app in apps { app.buy(Shop.fuel) }
        for app in apps { try await app.hears("purchased") { $0.purchased.count >= 1 } }
        #expect(shop.store.transactions.count == 4)
        #expect(shop.store.count("sign-in") == 1)
    }

    @Test func `the automatic sheet buys as its account, whoever is signed in`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        app.queue.remove(app.observer)
        let bobs = try shop.launch(account: "bob").start()
        try await bobs.hears("what ada left unfinished") { $0.purchased.count == 1 }
        bobs.buy(Shop.turbo)
        try await bobs.hears("both") { $0.purchased.count >= 2 }
        #expect(shop.store.state.withLock { $0.account } == "bob")
        #expect(shop.store.count("sign-in") == 2)
    }

    @Test func `a locked account fails the payment with the store's sentence`() async throws {
        let shop = try Shop()
        shop.store.state.withLock { $0.wrongPasswords = 5 }
        let sheet = ScriptedSheet([FakeStore.password])
        let app = try shop.launch(sheet: sheet).start()
        app.buy(Shop.fuel)
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(app.observer.heard.failed.first?.code == .paymentNotAllowed)
        #expect(sheet.passwords.shown == ["The account is locked."])
    }

    @Test func `the sheet shows what a payment lacks and the app hears of a cancellation`()
        async throws
    {
        let shop = try Shop()
        shop.store.state.withLock {
            $0.refusal = RefusalBody(
                code: .insufficientCredit,
                message: "This account's store credit lacks 0.99 USD for it.")
        }
        let sheet = ScriptedSheet([FakeStore.password])
        let app = try shop.launch(sheet: sheet).start()
        app.buy(Shop.fuel)
        try await app.hears("failed") { $0.failed.first?.code == .paymentCancelled }
        #expect(
            sheet.passwords.shown.last == "This account's store credit lacks 0.99 USD for it.")
    }

    @Test func `the automatic sheet tries no password twice`() async throws {
        let shop = try Shop()
        let account = StoreConfiguration.Account(name: "ada", password: "wrong")
        let app = try shop.launch(sheet: AutomaticSheet(account: account)).start()
        app.buy(Shop.fuel)
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(shop.store.state.withLock { $0.wrongPasswords } == 1)
        let sentence = app.observer.heard.failed.first?.localizedDescription ?? ""
        #expect(sentence.contains("STOREKIT_ACCOUNT"))
    }

    @Test func `the automatic sheet without an account says what to set`() {
        let answer = AutomaticSheet(account: nil).signIn(Self.prompt, trouble: nil)
        guard case .unable(let sentence) = answer else {
            Issue.record("it answered \(answer)")
            return
        }
        #expect(sentence.contains("STOREKIT_ACCOUNT"))
    }
}
