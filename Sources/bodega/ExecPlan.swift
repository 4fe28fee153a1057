import AppStoreServer
import Foundation
import StoreModel
import StoreWire

/// What `bodega exec` is to run, every part of it checked.
struct ExecPlan {
    struct Seed {
        let bytes: [UInt8]
        let summary: SeedSummary
    }

    /// What the backend delivers.
    enum Products {
        case file(String)
        /// A line of text for each product of an app.
        case of(SeedSummary.App)
    }

    let program: String
    let words: [String]
    let seed: Seed?
    let products: Products?

    /// The app that is meant when none is named.
    var app: SeedSummary.App? {
        guard let apps = seed?.summary.apps, apps.count == 1 else { return nil }
        return apps.first
    }
}

extension ExecPlan.Products {
    /// The path of the list, which is written to a folder if there is none.
    func file(in folder: String) throws -> String {
        switch self {
        case .file(let path): return path
        case .of(let app):
            let products: [JSONValue] = app.products.map { product in
                let id = JSONValue.string(product.id.rawValue)
                let item: JSONValue = [
                    "productId": id, "kind": .string(product.kind.rawValue),
                    "content": [
                        "name": "content.txt", "mediaType": "text/plain", "text": id,
                    ],
                ]
                guard let group = product.subscriptionGroup else { return item }
                return item.merging(["group": .string(group)])
            }
            let list: JSONValue = [
                "bundleId": .string(app.bundleID), "products": .array(products),
            ]
            let path = "\(folder)/products.json"
            try Data(list.compactBytes).write(to: URL(fileURLWithPath: path))
            return path
        }
    }
}
