/// `products.json` as written; an unknown field is an error, so that a misspelled limit does not go
/// unnoticed.
struct ProductListFile: Decodable {
    let bundleId: String
    let versions: [String]
    let products: [Item]

    struct Item: Decodable {
        let productId: String
        let kind: String
        let content: Content?
        let service: String?
        let length: String?
        let group: String?
        let offers: [Offer]?

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case productId, kind, content, service, length, group, offers
        }

        init(from decoder: any Decoder) throws {
            try refuseUnknownKeys(decoder, CodingKeys.allCases.map(\.rawValue))
            let values = try decoder.container(keyedBy: CodingKeys.self)
            productId = try values.decode(String.self, forKey: .productId)
            kind = try values.decode(String.self, forKey: .kind)
            content = try values.decodeIfPresent(Content.self, forKey: .content)
            service = try values.decodeIfPresent(String.self, forKey: .service)
            length = try values.decodeIfPresent(String.self, forKey: .length)
            group = try values.decodeIfPresent(String.self, forKey: .group)
            offers = try values.decodeIfPresent([Offer].self, forKey: .offers)
        }
    }

    struct Offer: Decodable {
        let offerId: String
        let usesPerUser: Int

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case offerId, usesPerUser
        }

        init(from decoder: any Decoder) throws {
            try refuseUnknownKeys(decoder, CodingKeys.allCases.map(\.rawValue))
            let values = try decoder.container(keyedBy: CodingKeys.self)
            offerId = try values.decode(String.self, forKey: .offerId)
            usesPerUser = try values.decodeIfPresent(Int.self, forKey: .usesPerUser) ?? 1
        }
    }

    struct Content: Decodable {
        let name: String
        let mediaType: String
        let file: String?
        let text: String?

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case name, mediaType, file, text
        }

        init(from decoder: any Decoder) throws {
            try refuseUnknownKeys(decoder, CodingKeys.allCases.map(\.rawValue))
            let values = try decoder.container(keyedBy: CodingKeys.self)
            name = try values.decode(String.self, forKey: .name)
            mediaType = try values.decode(String.self, forKey: .mediaType)
            file = try values.decodeIfPresent(String.self, forKey: .file)
            text = try values.decodeIfPresent(String.self, forKey: .text)
        }
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case bundleId, versions, products
    }

    init(from decoder: any Decoder) throws {
        try refuseUnknownKeys(decoder, CodingKeys.allCases.map(\.rawValue))
        let values = try decoder.container(keyedBy: CodingKeys.self)
        bundleId = try values.decode(String.self, forKey: .bundleId)
        versions = try values.decodeIfPresent([String].self, forKey: .versions) ?? []
        products = try values.decode([Item].self, forKey: .products)
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private func refuseUnknownKeys(_ decoder: any Decoder, _ known: [String]) throws {
    let keys = try decoder.container(keyedBy: AnyKey.self).allKeys
    guard let unknown = keys.first(where: { !known.contains($0.stringValue) }) else { return }
    throw DecodingError.dataCorrupted(
        .init(
            codingPath: decoder.codingPath + [unknown],
            debugDescription: "this field is unknown; known are \(known.joined(separator: ", "))"))
}
