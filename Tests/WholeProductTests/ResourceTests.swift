import CrashPoints
import Foundation
import StoreWire
import TestSupport
import Testing

/// On-demand resources with whole processes: added from a folder, fetched by the example app by tag.
@Suite(.ownThreads) struct ResourceTests {
    private static let app = ["--bundle-id", Lab.bundleID]
    private static let track = "com.example.rocketcar.moontrack"
    private static let folder = Lab.package + "/Examples/RocketCar/Tracks/moontrack"

    private func add(
        _ lab: Lab, _ words: [String] = [], folder: String = Self.folder, code: Int32 = 0
    ) throws -> String {
        try lab.bodega(
            ["resource", "add", "moontrack", folder, "--app-version", "1.0"] + Self.app + words,
            code: code)
    }

    @Test func `resources are added, listed, fetched after the receipt was checked and removed`()
        throws
    {
        let lab = try Lab.open()
        let text = try add(lab)
        #expect(text.hasPrefix("moontrack of 1.0, on demand: 1 files, "))
        #expect(try add(lab) == text, "the same again")
        #expect(try add(lab, ["--initial"], code: 1).contains("another kind"))
        let list = try lab.bodega(["resource", "list"] + Self.app)
        #expect(list.contains("moontrack") && list.contains("on demand"))
        let locked = try lab.app(["track", "moontrack"], code: 1)
        #expect(locked == "track moontrack locked: buy \(Self.track)\n")
        try lab.app(["buy", Self.track])
        let shown = try lab.app(["track", "moontrack"])
        #expect(shown.hasPrefix("track moontrack fetched\n| Moon track\n"))
        #expect(try lab.app(["track", "moontrack"]).hasPrefix("track moontrack here\n"))
        let removed = try lab.bodega(
            ["resource", "remove", "moontrack", "--app-version", "1.0"] + Self.app)
        #expect(removed == "removed moontrack from 1.0\n")
        #expect(try lab.app(["track", "moontrack"]).hasPrefix("track moontrack here\n"))
        try FileManager.default.removeItem(atPath: lab.folder + "/phone/OnDemandResources")
        let gone = try lab.app(["track", "moontrack"], code: 1)
        #expect(gone == "RocketCar: this version of the game does not have the track\n")
        #expect(try lab.doctor().contains("This installation is sound."))
    }

    @Test func `a program is refused by name before anything is sent`() throws {
        let lab = try Lab.open()
        let folder = lab.folder + "/Tracks"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: folder + "/odd"))
        #expect(try add(lab, folder: folder, code: 1).contains("\"odd\" is a script"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: lab.storeData + "/content")
                == ["incoming"])
    }

    @Test func `an app killed when a track is complete finds it at the next launch`() throws {
        let lab = try Lab.open()
        _ = try add(lab)
        try lab.app(["buy", Self.track])
        let point = CrashPoint.deviceDownloadComplete.rawValue
        try lab.app(
            ["track", "moontrack"], environment: ["BODEGA_CRASH_POINT": point],
            code: 128 + SIGKILL)
        #expect(try lab.app(["track", "moontrack"]).hasPrefix("track moontrack here\n"))
    }
}
