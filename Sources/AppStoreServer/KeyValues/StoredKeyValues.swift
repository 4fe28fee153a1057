import StoreWire

/// `KeyValuesBody` made of values as they are stored, which are JSON already: a mebibyte of small ones
/// is not read and written again for each device that asks.
struct StoredKeyValues: DirectJSON {
    private let news: KeyValueNews

    init(_ news: KeyValueNews) {
        self.news = news
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.array("entries", news.rows) { writer, row in
                writer.object {
                    $0.member("key", row.key)
                    if let value = row.value { $0.member("value", json: value) }
                }
            }
            writer.member("isWhole", news.isWhole)
            writer.member("revision", news.revision)
        }
    }

    func encode(to encoder: any Encoder) throws {
        try KeyValuesBody(
            revision: news.revision, isWhole: news.isWhole,
            entries: try news.rows.map { try KeyValueBody($0) }
        ).encode(to: encoder)
    }
}

extension KeyValueBody {
    init(_ row: KeyValueRow) throws {
        self.init(
            key: row.key,
            value: try row.value.map {
                try WireJSON.decode(PropertyListValue.self, from: Array($0.utf8))
            })
    }
}
