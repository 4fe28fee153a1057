import Foundation
import Synchronization
import Testing

@testable import StoreLog

/// What a program that collects logs reads of every line: when, how urgent, what.
struct LineTests {
    private enum Noted: String, LogEvent {
        case failed, bought

        var level: LogLevel { self == .failed ? .error : .info }
    }

    struct Moment: Sendable {
        let seconds: Int
        let milliseconds: Int
        let text: String
    }

    static let moments = [
        Moment(seconds: 0, milliseconds: 0, text: "1970-01-01T00:00:00.000Z"),
        Moment(seconds: 951_782_400, milliseconds: 7, text: "2000-02-29T00:00:00.007Z"),
        Moment(seconds: 1_798_761_599, milliseconds: 999, text: "2026-12-31T23:59:59.999Z"),
        Moment(seconds: 4_102_444_800, milliseconds: 40, text: "2100-01-01T00:00:00.040Z"),
    ]

    @Test(arguments: moments)
    func `the time of a line is in UTC with milliseconds`(moment: Moment) {
        let time = LineTime(seconds: moment.seconds, milliseconds: moment.milliseconds)
        #expect(time.text == moment.text)
        #expect(time.stamp(#"{"event":"a"}"#) == #"{"time":"\#(moment.text)","event":"a"}"#)
    }

    @Test func `a line begins with time, level and event`() throws {
        let pipe = Pipe()
        let writer = LineWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let log = Log(to: writer).adding("world", .text("default"))
        log.event(Noted.failed, ("why", .text("no space")))
        log.event(Noted.bought)
        writer.flush(milliseconds: 60_000)
        try pipe.fileHandleForWriting.close()
        let read = try #require(try pipe.fileHandleForReading.readToEnd())
        let lines = String(decoding: read, as: UTF8.self).split(separator: "\n")
        let line =
            /\{"time":"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z","level":"(.*?)","event":"(.*?)","world":"default".*\}/
        let found = try lines.map { try #require(try line.wholeMatch(in: $0)) }
        #expect(found.map(\.1) == ["error", "info"])
        #expect(found.map(\.2) == ["failed", "bought"])
        for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }

    @Test func `a listener gets level, name and fields of each event, and no secret`() {
        let heard = Mutex<[String]>([])
        let lines = Mutex<[String]>([])
        let log = Log { line in lines.withLock { $0.append(line) } }
            .adding("request", .text("r-1"))
            .telling { told in
                let fields = told.logFields + told.eventFields
                let texts = fields.map { "\($0.name)=\($0.value)" }
                heard.withLock { $0.append("\(told.level) \(told.event) \(texts)") }
            }
        log.adding("world", .text("one")).event(
            Noted.failed, ("token", .secret(byteCount: 12)), ("count", .number(3)))
        log.event(Noted.bought)
        #expect(
            heard.withLock { $0 } == [
                #"error failed ["request=text(\"r-1\")", "world=text(\"one\")", "#
                    + #""token=secret(byteCount: 12)", "count=number(3)"]"#,
                #"info bought ["request=text(\"r-1\")"]"#,
            ])
        #expect(lines.withLock { $0.count } == 2)
    }

    @Test func `lines that nobody reads are dropped, counted and reported`() throws {
        let pipe = Pipe()
        let writer = LineWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let log = Log(to: writer)
        let padding = String(repeating: "x", count: 200)
        // The pipe fills up first, then the writer's own places.
        while log.linesDropped < 3 { log.event(Noted.bought, ("padding", .text(padding))) }
        let dropped = log.linesDropped
        let reader = pipe.fileHandleForReading
        var text = ""
        while !text.contains("linesDropped") {
            text += String(decoding: reader.availableData, as: UTF8.self)
        }
        #expect(text.contains(#""level":"warning","event":"linesDropped","count":\#(dropped)}"#))
    }
}
