import Foundation
import TestSupport
import Testing

/// A person plays RocketCar and loads what the store keeps for a purchase.
///
/// A gate holds downloads where the test wants to look at them, so nothing depends on how fast
/// anything is: the first part of every file has 256 KiB.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BODEGA_PYTHON"] != nil), .ownThreads)
struct GameDownloadTests {
    private static let track = "com.example.rocketcar.moontrack"
    private static let leave = ["type q", "end 0", "plain"]
    /// A quarter of `open`'s content.
    private static let quarter =
        String(repeating: "▰", count: 5) + String(repeating: "▱", count: 15) + "  26%"

    private static let buy =
        ["wait ▸ Moon Track", "key enter"] + Lab.signIn + [
            "wait [b]uy", "type b", "key enter", "wait [ Shop ]   Downloads 1",
            "gone The store asks", "wait q quit",
        ]

    /// A lab whose Moon Track brings so many bytes.
    private func open(bytes: Int) throws -> (lab: Lab, content: Data) {
        let lab = try Lab.open()
        let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 9)) })
        var content = Data()
        while content.count < bytes { content += block.prefix(bytes - content.count) }
        let folder = lab.folder + "/Levels"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try content.write(to: URL(fileURLWithPath: folder + "/crater.bin"))
        try lab.bodega(["content", "upload", Self.track, folder, "--bundle-id", Lab.bundleID])
        return (lab, content)
    }

    private func expectContent(_ content: Data, _ lab: Lab) throws {
        let place = "\(lab.folder)/phone-app/content/store-\(Self.track)/Contents/crater.bin"
        #expect(FileManager.default.contents(atPath: place) == content)
        // The store may not have heard of the finish when the game was left.
        _ = try lab.settle()
        #expect(
            try lab.count(
                "SELECT count(*) FROM store_transaction WHERE finished_ms IS NOT NULL",
                in: lab.storeFile) == 1)
    }

    @Test func `a download shows a bar and is paused and resumed by key`() throws {
        let (lab, content) = try open(bytes: 1_000_000)
        let gate = try ContentGate(to: lab.storePort, parts: 1)
        let game = try lab.startPlay(
            Self.buy + [
                "wait ↓ on its way", "key tab", "wait [ Downloads 1 ]",
                "wait \(Self.quarter)", "screen",
                "key enter", "wait \(Self.quarter)  paused: Enter resumes", "screen",
                "key enter", "wait \(Self.quarter)  on its way", "screen",
                "wait Moon Track is yours.", "wait There are no downloads.", "screen",
                "key tab", "key tab", "wait ✓ yours",
            ] + Self.leave,
            environment: gate.environment)
        // Three screens: the second time that it is on its way, the gate opens.
        let isHeld = eventually {
            game.output.split(separator: Self.quarter).count > 3 || !game.isRunning
        }
        #expect(isHeld)
        gate.open()
        #expect(
            try game.wait(secondsMax: Program.secondsMax) == 0, "\(game.output)\(game.errors)")
        #expect(game.output.contains("Moon Track is downloaded."))
        try expectContent(content, lab)
    }

    @Test func `a game closed half-way downloads the rest at its next start`() throws {
        let (lab, content) = try open(bytes: 1_000_000)
        let gate = try ContentGate(to: lab.storePort, parts: 1)
        try lab.play(
            Self.buy + ["key tab", "wait \(Self.quarter)"] + Self.leave,
            environment: gate.environment)
        let game = try lab.startPlay(
            [
                "wait Downloads 1", "key tab", "wait \(Self.quarter)", "screen",
                "wait Moon Track is yours.", "wait There are no downloads.",
            ] + Self.leave,
            environment: gate.environment)
        #expect(eventually { game.output.contains(Self.quarter) || !game.isRunning })
        gate.open()
        #expect(
            try game.wait(secondsMax: Program.secondsMax) == 0, "\(game.output)\(game.errors)")
        try expectContent(content, lab)
    }

    @Test func `a large download begins on request, also after it was cancelled`()
        throws
    {
        let (lab, content) = try open(bytes: 21_000_000)
        let gate = try ContentGate(to: lab.storePort, parts: 1)
        let game = try lab.startPlay(
            Self.buy + [
                "wait a download of 21 MB", "key tab", "wait waiting: Enter starts it",
                "key enter", "wait ▱   1%", "type x",
                "wait cancelled: Enter starts over", "wait It is still yours.", "screen",
                "key enter", "wait ▱   0%  on its way", "screen",
                "wait Moon Track is yours.", "wait There are no downloads.",
            ] + Self.leave,
            environment: gate.environment)
        #expect(eventually { game.output.contains("  0%  on its way") || !game.isRunning })
        gate.open()
        #expect(
            try game.wait(secondsMax: Program.secondsMax) == 0, "\(game.output)\(game.errors)")
        try expectContent(content, lab)
    }
}
