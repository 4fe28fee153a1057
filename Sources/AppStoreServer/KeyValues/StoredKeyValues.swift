import StoreWire

/// `KeyValuesBody` made of the stored values, which are already JSON, so that a mebibyte of small
/// ones is not parsed and rewritten for each device that asks.
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
