import Foundation
import StoreHTTP
import StoreWire
import Testing

@testable import AppStoreServer

/// Content on its way to the devices of whoever bought it.
struct ContentDeliveryTests {
    private func unfinished(_ content: ContentFixture, _ token: String) async throws
        -> [TransactionBody]
    {
        let answer = await content.store.send(
            "GET", "/sandbox/device/v1/transactions", token: token)
        return try WireJSON.decode(UnfinishedBody.self, from: answer.body).transactions
    }

    private func updates(_ content: ContentFixture, _ token: String) async throws -> [UpdateBody] {
        let answer = await content.store.send(
            "GET", "/sandbox/device/v1/updates?after=0", token: token)
        return try WireJSON.decode(UpdatesBody.self, from: answer.body).events
    }

    @Test func `a purchase delivers the newest content until it is finished`() async throws {
        let content = try await ContentFixture()
        try await content.upload(["a": "one", "b/c": "three"])
        let token = try await content.store.signIn()
        let bought = try await content.store.buy(Samples.turbo, token: token)
        let first = DownloadBody(
            contentIdentifier: Samples.turbo, contentVersion: "1.0", contentLength: 8)
        #expect(bought.downloads == [first])
        #expect(try await unfinished(content, token).map(\.downloads) == [[first]])
        try await content.upload(["a": "new"], version: "1.1")
        let second = DownloadBody(
            contentIdentifier: Samples.turbo, contentVersion: "1.1", contentLength: 3)
        #expect(try await unfinished(content, token).map(\.downloads) == [[second]])
        #expect(try await updates(content, token).map { $0.transaction?.downloads } == [[second]])
        _ = await content.store.send(
            "POST", "/sandbox/device/v1/transactions/\(bought.transactionId)/finish", token: token)
        #expect(try await updates(content, token).map { $0.transaction?.downloads } == [nil, nil])
        let manifest = await content.manifest(bought.transactionId, token: token)
        #expect(errorCode(manifest) == "transactionFinished")
        let file = await content.file(
            bought.transactionId, "1.1", ContentFixture.digest("new"), token: token)
        #expect(errorCode(file) == "transactionFinished")
    }

    @Test func `a revoked purchase no longer delivers content`() async throws {
        let content = try await ContentFixture()
        try await content.upload(["a": "one"])
        let token = try await content.store.signIn()
        let id = try await content.store.buy(Samples.turbo, token: token).transactionId
        let revoked = try await content.store.control(
            "POST", "/control/v1/transactions/\(id)/revoke", body: RevokeBody(reason: .other))
        #expect(revoked.status == 200)
        #expect(try await updates(content, token).map { $0.transaction?.downloads } == [nil, nil])
        let manifest = await content.manifest(id, token: token)
        #expect(manifest.status == 409 && errorCode(manifest) == "transactionRevoked")
        let file = await content.file(id, "1.0", ContentFixture.digest("one"), token: token)
        #expect(file.status == 409 && errorCode(file) == "transactionRevoked")
    }

    @Test func `a product without content has no content fields`() async throws {
        let content = try await ContentFixture()
        try await content.upload(["a": "one"])
        let token = try await content.store.signIn()
        let bought = try await content.store.buy(Samples.fuel, token: token)
        #expect(bought.downloads == nil)
        let manifest = await content.manifest(bought.transactionId, token: token)
        #expect(errorCode(manifest) == "contentUnknown")
        let answer = await content.store.send(
            "POST", "/sandbox/device/v1/products", token: token,
            body: try WireJSON.encode(
                ProductsRequestBody(
                    productIdentifiers: [Samples.turbo, Samples.fuel], locale: nil)))
        let products = try WireJSON.decode(ProductsAnswerBody.self, from: answer.body).products
        #expect(products.map(\.isDownloadable) == [true, false])
        #expect(products.map(\.downloadContentLengths) == [[3], nil])
        #expect(products.map(\.downloadContentVersion) == ["1.0", nil])
    }

    @Test func `the manifest lists the files and serves their bytes in ranges`() async throws {
        let content = try await ContentFixture()
        try await content.upload(["b/c": "0123456789", "a": "one", "d": "one"])
        let token = try await content.store.signIn()
        let id = try await content.store.buy(Samples.turbo, token: token).transactionId
        let manifest = try WireJSON.decode(
            ContentManifestBody.self, from: await content.manifest(id, token: token).body)
        #expect(manifest.contentVersion == "1.0")
        #expect(manifest.contentLength == 16)
        #expect(manifest.files.map(\.path) == ["a", "b/c", "d"])
        #expect(manifest.files[0].sha256 == manifest.files[2].sha256)
        let digest = manifest.files[1].sha256
        let whole = await content.file(id, "1.0", digest, token: token)
        #expect(whole.status == 200)
        #expect(try ContentFixture.text(whole) == "0123456789")
        #expect(whole.headers["ETag"] == "\"\(digest)\"")
        let part = await content.file(
            id, "1.0", digest, token: token, headers: [("Range", "bytes=3-5")])
        #expect(part.status == 206)
        #expect(try ContentFixture.text(part) == "345")
        #expect(part.headers["Content-Range"] == "bytes 3-5/10")
        let behind = await content.file(
            id, "1.0", digest, token: token, headers: [("Range", "bytes=10-")])
        #expect(behind.status == 416)
        #expect(errorCode(behind) == "rangeBehindEnd")
        #expect(behind.headers["Content-Range"] == "bytes */10")
    }

    @Test func `content is refused to everyone but its buyer`() async throws {
        let content = try await ContentFixture()
        try await content.upload(["a": "one"])
        try await content.upload(["a": "other product's"], for: Samples.fuel)
        let token = try await content.store.signIn()
        let id = try await content.store.buy(Samples.turbo, token: token).transactionId
        let digest = ContentFixture.digest("one")
        // Another version, another product's file, names that are paths.
        for (version, name) in [
            ("1.1", digest), ("1.0", ContentFixture.digest("other product's")), ("1.0", "..%2f.."),
            ("..", digest), ("1.0", "incoming"),
        ] {
            let answer = await content.file(id, version, name, token: token)
            #expect(errorCode(answer) == "contentUnknown", "\(version) \(name)")
        }
        for number in ["1", "0\(id)", "x", "-1"] {
            let answer = await content.manifest(number, token: token)
            #expect(errorCode(answer) == "transactionUnknown")
        }
        let made = try await content.store.control(
            "POST", "/control/v1/accounts",
            body: MakeAccountBody(
                environment: .sandbox, name: "thief", password: "rocket-fuel-1", storefront: nil))
        #expect(made.status == 201)
        let guid = "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A12"
        let thief = try await content.store.signIn(guid: guid, account: "thief")
        #expect(errorCode(await content.manifest(id, token: thief)) == "transactionUnknown")
        let stolen = await content.file(id, "1.0", digest, token: thief)
        #expect(errorCode(stolen) == "transactionUnknown")
        let nobody = try await content.store.register(
            guid: "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A13")
        #expect(errorCode(await content.manifest(id, token: nobody)) == "notSignedIn")
    }

    @Test func `a download already begun can fetch removed content for a day`() async throws {
        let content = try await ContentFixture()
        try await content.upload(["a": "one"])
        try await content.upload(["a": "two"], version: "1.1")
        let token = try await content.store.signIn()
        let id = try await content.store.buy(Samples.turbo, token: token).transactionId
        let removed = try await content.remove("1.1")
        let body = try WireJSON.decode(RemovedContentBody.self, from: removed.body)
        #expect(body.removed == ["1.1"])
        #expect(body.currentVersion == "1.0")
        #expect(try await content.remove("1.1").body == removed.body, "the same when asked again")
        #expect(errorCode(try await content.remove("9")) == "contentUnknown")
        #expect(try await content.versions() == ["1.0*"])
        #expect(try await unfinished(content, token)[0].downloads?[0].contentVersion == "1.0")
        let digest = ContentFixture.digest("two")
        content.store.move(byMilliseconds: ContentFixture.day - 1)
        _ = try content.registry.sweepContent()
        #expect(await content.file(id, "1.1", digest, token: token).status == 200)
        let kept = await content.manifest(id, token: token, query: "?version=1.1")
        #expect(kept.status == 200)
        content.store.move(byMilliseconds: 1)
        #expect(errorCode(await content.file(id, "1.1", digest, token: token)) == "contentUnknown")
        let gone = await content.manifest(id, token: token, query: "?version=1.1")
        #expect(errorCode(gone) == "contentUnknown")
        #expect(try content.registry.sweepContent() == 1)
        #expect(try content.kept() == [ContentFixture.digest("one")])
        let all = try await content.remove()
        #expect(try WireJSON.decode(RemovedContentBody.self, from: all.body).currentVersion == nil)
        #expect(try await unfinished(content, token)[0].downloads == nil)
    }

    @Test func `missing content files are reported and restored by uploading them again`()
        async throws
    {
        let content = try await ContentFixture()
        try await content.upload(["a": "one"])
        let token = try await content.store.signIn()
        let id = try await content.store.buy(Samples.turbo, token: token).transactionId
        let digest = ContentFixture.digest("one")
        let place = "\(content.folder)/\(digest)"
        for damage in [nil, "on"] {
            try FileManager.default.removeItem(atPath: place)
            if let damage { try Data(damage.utf8).write(to: URL(fileURLWithPath: place)) }
            let lost = await content.file(id, "1.0", digest, token: token)
            #expect(errorCode(lost) == "contentMissing")
            #expect(lost.headers["Retry-After"] != nil)
            try await content.upload(["a": "one"])
            let answer = await content.file(id, "1.0", digest, token: token)
            #expect(try ContentFixture.text(answer) == "one")
        }
        #expect(try await content.versions() == ["1.0*"])
    }
}
