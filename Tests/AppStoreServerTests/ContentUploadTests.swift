import Foundation
import StoreWire
import Testing

@testable import AppStoreServer

/// Content on its way to the store: begin, parts, commit, each once, twice, late and wrong.
struct ContentUploadTests {
    private let files = ["levels/1.json": "one", "levels/2.json": "two!", "copy.json": "one"]

    @Test func `an upload lists the missing files, receives them and becomes a version`()
        async throws
    {
        let content = try await ContentFixture()
        let begun = try await content.begin(ContentFixture.body(files))
        #expect(begun.missing.count == 2, "bytes that two files share are sent once")
        #expect(begun.missing.allSatisfy { $0.received == 0 })
        for text in ["one", "two!"] {
            let answer = await content.part(
                text, of: ContentFixture.digest(text), at: 0, to: begun.uploadId)
            let body = try WireJSON.decode(ContentPartBody.self, from: answer.body)
            #expect(body.received == Int64(text.utf8.count))
        }
        let answer = try await content.commit(begun.uploadId)
        let body = try WireJSON.decode(ContentVersionBody.self, from: answer.body)
        #expect(body.fileCount == 3)
        #expect(body.contentLength == 10)
        #expect(body.isCurrent)
        #expect(body.addedAt == TestStore.start)
        #expect(try content.kept() == Set(["one", "two!"].map(ContentFixture.digest)))
        #expect(try content.incoming().isEmpty)
        // However often each is asked.
        #expect(try await content.commit(begun.uploadId).body == answer.body)
        let again = try await content.begin(ContentFixture.body(files))
        #expect(again.uploadId == begun.uploadId)
        #expect(again.missing.isEmpty)
        #expect(try await content.commit(again.uploadId).body == answer.body)
        #expect(try await content.versions() == ["1.0*"])
    }

    @Test func `an interrupted upload resumes where it stopped`() async throws {
        let content = try await ContentFixture()
        let text = "0123456789"
        let digest = ContentFixture.digest(text)
        let begun = try await content.begin(ContentFixture.body(["a": text]))
        func send(_ part: String, _ offset: Int) async throws -> Int64? {
            let answer = await content.part(part, of: digest, at: offset, to: begun.uploadId)
            return try? WireJSON.decode(ContentPartBody.self, from: answer.body).received
        }
        #expect(try await send("", 0) == 0)
        #expect(try await send("0123", 0) == 4)
        #expect(try await send("0123", 0) == 4, "the same part twice")
        #expect(try await send("23", 2) == 4, "an old part, late")
        #expect(try await send("2345", 2) == 6, "a part that overlaps")
        let gap = await content.part("9", of: digest, at: 9, to: begun.uploadId)
        #expect(errorCode(gap) == "partOutOfOrder")
        let beyond = await content.part("6789x", of: digest, at: 6, to: begun.uploadId)
        #expect(errorCode(beyond) == "badField")
        let early = try await content.commit(begun.uploadId)
        #expect(errorCode(early) == "contentIncomplete")
        let resumed = try await content.begin(ContentFixture.body(["a": text]))
        #expect(resumed.missing.map(\.received) == [6])
        #expect(try await send("6789", 6) == 10)
        #expect(try await send("6789", 6) == 10, "the last part twice")
        #expect(try await content.commit(begun.uploadId).status == 200)
    }

    @Test func `an empty file is uploaded as one empty part`() async throws {
        let content = try await ContentFixture()
        let body = try await content.upload(["empty": "", "a": "x"])
        #expect(body.contentLength == 1)
        #expect(try content.kept().count == 2)
    }

    @Test func `bytes that do not match their digest are dropped`() async throws {
        let content = try await ContentFixture()
        let begun = try await content.begin(ContentFixture.body(["a/b.json": "true"]))
        let digest = ContentFixture.digest("true")
        let answer = await content.part("lies", of: digest, at: 0, to: begun.uploadId)
        #expect(errorCode(answer) == "badContent")
        #expect(String(decoding: answer.body, as: UTF8.self).contains("a/b.json"))
        #expect(try content.kept().isEmpty && content.incoming().isEmpty)
        #expect(await content.part("true", of: digest, at: 0, to: begun.uploadId).status == 200)
        #expect(try await content.commit(begun.uploadId).status == 200)
    }

    @Test(arguments: ["\u{7F}ELF\u{2}\u{1}\u{1}", "#!/bin/sh\nexit", "MZ-something", "!<arch>\nx"])
    func `executable code is refused even under a harmless file name`(text: String) async throws {
        let content = try await ContentFixture()
        let digest = ContentFixture.digest(text)
        // In one part, and in parts too small to tell.
        for step in [text.utf8.count, 1] {
            let begun = try await content.begin(ContentFixture.body(["maps/level.json": text]))
            var answer = await content.part("", of: digest, at: 0, to: begun.uploadId)
            for offset in stride(from: 0, to: text.utf8.count, by: step) {
                let bytes = Array(text.utf8)[offset..<min(offset + step, text.utf8.count)]
                answer = await content.part(
                    String(decoding: bytes, as: UTF8.self), of: digest, at: offset,
                    to: begun.uploadId)
            }
            #expect(errorCode(answer) == "badContent")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("maps/level.json"))
            #expect(errorCode(try await content.commit(begun.uploadId)) == "contentIncomplete")
        }
        #expect(try content.kept().isEmpty)
    }

    @Test(arguments: ["run.sh", "A.framework/A", "../x", "/etc/x", "a\u{1B}b", "lib.dylib"])
    func `a forbidden file name is refused before anything is uploaded`(
        path: String
    ) async throws {
        let content = try await ContentFixture()
        let answer = try await content.store.control(
            "POST", content.uploads(), body: ContentFixture.body([path: "x", "good": "y"]))
        #expect(errorCode(answer) == "badContent")
        #expect(try await content.versions().isEmpty)
    }

    @Test func `unknown uploads, files and products are refused by name`() async throws {
        let content = try await ContentFixture()
        let none = String(repeating: "0", count: 32)
        let digest = ContentFixture.digest("x")
        #expect(errorCode(try await content.commit(none)) == "uploadUnknown")
        #expect(errorCode(await content.part("x", of: digest, at: 0, to: none)) == "uploadUnknown")
        let begun = try await content.begin(ContentFixture.body(["a": "y"]))
        let other = await content.part("x", of: digest, at: 0, to: begun.uploadId)
        #expect(errorCode(other) == "fileUnknown")
        let path = await content.part("x", of: "..", at: 0, to: begun.uploadId)
        #expect(errorCode(path) == "fileUnknown")
        let place = "\(content.uploads())/\(begun.uploadId)/files/\(digest)"
        let offset = await content.store.send(
            "PUT", place, token: TestStore.controlToken, body: [])
        #expect(errorCode(offset) == "badQuery")
        let product = try await content.store.control(
            "POST", content.uploads("absent"), body: ContentFixture.body(["a": "x"]))
        #expect(errorCode(product) == "productUnknown")
        // Another product's upload is none of this one's.
        let foreign = try await content.commit(begun.uploadId, for: Samples.fuel)
        #expect(errorCode(foreign) == "uploadUnknown")
        let without = await content.store.send("POST", content.uploads(), body: [])
        #expect(without.status == 401)
    }

    @Test func `a version name can be used only once`() async throws {
        let content = try await ContentFixture()
        try await content.upload(["a": "one"])
        let other = try await content.store.control(
            "POST", content.uploads(), body: ContentFixture.body(["a": "other"]))
        #expect(errorCode(other) == "contentVersionExists")
        try await content.upload(["a": "other"], version: "1.1")
        #expect(try await content.versions() == ["1.1*", "1.0"])
        // Two uploads of one version at once: the first that is committed has the name.
        let first = try await content.begin(ContentFixture.body(["a": "one"], version: "2.0"))
        let second = try await content.begin(ContentFixture.body(["a": "other"], version: "2.0"))
        #expect(try await content.commit(first.uploadId).status == 200)
        #expect(errorCode(try await content.commit(second.uploadId)) == "contentVersionExists")
        // Content is per product.
        try await content.upload(["a": "fuel"], for: Samples.fuel)
        #expect(try await content.versions() == ["1.0*", "2.0*", "1.1", "1.0"])
    }

    @Test func `the numbers of uploads and versions are limited`() async throws {
        let content = try await ContentFixture()
        for number in 0..<Limits.contentUploadsMax {
            _ = try await content.begin(ContentFixture.body(["a": "x"], version: "\(number)"))
        }
        let more = try await content.store.control(
            "POST", content.uploads(), body: ContentFixture.body(["a": "x"], version: "1.2.3"))
        #expect(errorCode(more) == "tooManyUploads")
        for number in 0..<Limits.contentVersionsMax {
            try await content.upload(["a": "x"], version: "\(number)")
        }
        let version = try await content.store.control(
            "POST", content.uploads(), body: ContentFixture.body(["a": "x"], version: "1.2.3"))
        #expect(errorCode(version) == "tooManyContentVersions")
    }

    @Test func `an upload untouched for a day is forgotten`() async throws {
        let content = try await ContentFixture()
        let begun = try await content.begin(ContentFixture.body(["a": "0123"]))
        let digest = ContentFixture.digest("0123")
        _ = await content.part("01", of: digest, at: 0, to: begun.uploadId)
        content.store.move(byMilliseconds: ContentFixture.day - 1)
        _ = try content.registry.sweepContent()
        // Who takes it up again has another day.
        #expect(
            try await content.begin(ContentFixture.body(["a": "0123"])).missing[0].received == 2)
        content.store.move(byMilliseconds: ContentFixture.day)
        let late = await content.part("23", of: digest, at: 2, to: begun.uploadId)
        #expect(errorCode(late) == "uploadUnknown")
        #expect(try content.registry.sweepContent() == 1)
        #expect(try content.incoming().isEmpty)
        #expect(
            try await content.begin(ContentFixture.body(["a": "0123"])).missing[0].received == 0)
    }

    @Test func `concurrent uploads of the same bytes do no harm`() async throws {
        let content = try await ContentFixture()
        let text = String(repeating: "0123456789", count: 50_000)
        let digest = ContentFixture.digest(text)
        let begun = try await content.begin(ContentFixture.body(["a": text]))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let answer = await content.part(text, of: digest, at: 0, to: begun.uploadId)
                    #expect(answer.status == 200 || errorCode(answer) == "contentBusy")
                }
            }
        }
        #expect(try await content.commit(begun.uploadId).status == 200)
        let kept = FileManager.default.contents(atPath: "\(content.folder)/\(digest)")
        #expect(kept == Data(text.utf8))
    }
}
