import Foundation
import Glibc
import StoreModel
import StoreWire

extension ProductList {
    /// Reads a list and the content it names; an error names the place in the list.
    package static func read(file path: String) throws(BackendError) -> ProductList {
        let list: ProductListFile
        do {
            let bytes = try readFile(path, bytesMax: BackendLimits.productListBytesMax)
            list = try WireJSON.decodeBody(ProductListFile.self, from: bytes)
        } catch let error as FileTrouble {
            throw BackendError(.productList, "the product list \(path) \(error.sentence)")
        } catch {
            throw BackendError(
                .productList, "the product list \(path): \(WireJSON.explain(error))")
        }
        let folder = (path as NSString).deletingLastPathComponent
        do {
            return try ProductListCheck(folder: folder.isEmpty ? "." : folder).list(list)
        } catch {
            throw BackendError(
                .productList, "the product list \(path): \(error.place) \(error.sentence)")
        }
    }
}

/// The error at one place of a list.
struct ListTrouble: Error {
    let place: String
    let sentence: String
}

private struct FileTrouble: Error {
    let sentence: String
}

/// Turns the written list into a checked one.
private struct ProductListCheck {
    let folder: String
    var contentBytes = 0
    var seen: Set<String> = []

    mutating func product(
        _ item: ProductListFile.Item, at place: String
    ) throws(ListTrouble) -> BackendProduct {
        try word(item.productId, at: place + ".productId", max: BackendLimits.productIDBytesMax)
        guard seen.insert(item.productId).inserted else {
            throw ListTrouble(
                place: place + ".productId", sentence: "\"\(item.productId)\" is listed twice")
        }
        guard let kind = ProductKind(rawValue: item.kind) else {
            throw ListTrouble(
                place: place + ".kind",
                sentence: "\"\(item.kind)\" is not consumable, nonConsumable, nonRenewing or "
                    + "autoRenewable")
        }
        var content: ProductContent?
        if let written = item.content {
            content = try self.content(written, at: place + ".content")
        }
        let terms = try SubscriptionTerms(item, kind, at: place)
        return BackendProduct(
            id: item.productId, kind: kind, content: content, service: item.service,
            length: terms.length, group: item.group, offers: terms.offers)
    }

    private mutating func content(
        _ written: ProductListFile.Content, at place: String
    ) throws(ListTrouble) -> ProductContent {
        try word(written.name, at: place + ".name", max: 255)
        try word(written.mediaType, at: place + ".mediaType", max: 255)
        let bytes: [UInt8]
        switch (written.file, written.text) {
        case (let file?, nil): bytes = try self.file(file, at: place + ".file")
        case (nil, let text?): bytes = Array(text.utf8)
        case (nil, nil), (_?, _?):
            throw ListTrouble(place: place, sentence: "needs either \"file\" or \"text\"")
        }
        guard bytes.count <= BackendLimits.contentBytesMax else {
            throw ListTrouble(
                place: place,
                sentence: "is longer than \(BackendLimits.contentBytesMax) bytes, the limit")
        }
        contentBytes += bytes.count
        guard contentBytes <= BackendLimits.contentBytesInAllMax else {
            throw ListTrouble(
                place: place,
                sentence: "makes all content longer than "
                    + "\(BackendLimits.contentBytesInAllMax) bytes, the limit")
        }
        return ProductContent(name: written.name, mediaType: written.mediaType, bytes: bytes)
    }

    private func file(_ name: String, at place: String) throws(ListTrouble) -> [UInt8] {
        guard !name.hasPrefix("/"), !name.split(separator: "/").contains(".."), !name.isEmpty
        else {
            throw ListTrouble(
                place: place, sentence: "\"\(name)\" must be a path below the list's folder")
        }
        do {
            return try readFile("\(folder)/\(name)", bytesMax: BackendLimits.contentBytesMax)
        } catch {
            throw ListTrouble(place: place, sentence: "\(folder)/\(name) \(error.sentence)")
        }
    }
}

extension ProductListCheck {
    func list(_ written: ProductListFile) throws(ListTrouble) -> ProductList {
        var check = self
        try word(written.bundleId, at: "bundleId", max: 255)
        for (index, version) in written.versions.enumerated() {
            try word(version, at: "versions[\(index)]", max: BackendLimits.appVersionBytesMax)
        }
        guard written.products.count <= BackendLimits.productsMax else {
            throw ListTrouble(
                place: "products", sentence: "has more than \(BackendLimits.productsMax) items")
        }
        var products: [BackendProduct] = []
        for (index, item) in written.products.enumerated() {
            products.append(try check.product(item, at: "products[\(index)]"))
        }
        return ProductList(
            bundleID: written.bundleId, versions: Set(written.versions), products: products)
    }
}

/// Refuses a text that does not fit into a row.
func word(_ text: String, at place: String, max: Int) throws(ListTrouble) {
    guard isPlainWord(text, bytesMax: max) else {
        throw ListTrouble(
            place: place, sentence: "must be 1 to \(max) bytes of text without control characters")
    }
}

/// Text that fits into a row, a log line and an answer: not empty, bounded, without invisible
/// characters.
func isPlainWord(_ text: String, bytesMax: Int) -> Bool {
    (1...bytesMax).contains(text.utf8.count)
        && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
}

/// Reads a regular file up to a limit.
private func readFile(_ path: String, bytesMax: Int) throws(FileTrouble) -> [UInt8] {
    guard let handle = FileHandle(forReadingAtPath: path) else {
        throw FileTrouble(sentence: "cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { try? handle.close() }
    let data: Data?
    do {
        data = try handle.read(upToCount: bytesMax + 1)
    } catch {
        throw FileTrouble(sentence: "cannot be read: \(error.localizedDescription)")
    }
    let bytes = data.map(Array.init) ?? []
    guard bytes.count <= bytesMax else {
        throw FileTrouble(sentence: "is longer than \(bytesMax) bytes, the limit")
    }
    return bytes
}
