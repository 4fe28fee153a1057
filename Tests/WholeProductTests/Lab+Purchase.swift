import Foundation
import StoreWire
import Testing

/// One purchase as an app holds it.
struct BoughtItem {
    let product: String
    let transaction: String
    /// The receipt of the whole app and that of the transaction, in base64.
    let appReceipt: String
    let transactionReceipt: String
}

extension Lab {
    /// Buys with a small app that finishes nothing, and gives what its observer heard of, the
    /// newest last, also of `before` purchases that nobody finished yet.
    func buyAndKeep(
        _ products: [String], before: Int = 0, device: String = "phone",
        environment: [String: String] = [:]
    ) throws -> [BoughtItem] {
        let count = before + products.count
        let program = try probe(products, count, device, environment)
        try program.wait()
        let sandbox = receiptPath(device: device)
        let production = sandbox.replacing("/sandboxReceipt", with: "/receipt")
        let receipt = try #require(
            FileManager.default.contents(atPath: sandbox)
                ?? FileManager.default.contents(atPath: production),
            "\(program.output)\(program.errors)")
        let heard = /purchased ([^ ]+) ([0-9]+)\n(?:receipt [^\n]*\n)?transaction-receipt ([^\n]+)/
        let items = program.output.matches(of: heard).map {
            BoughtItem(
                product: String($0.1), transaction: String($0.2),
                appReceipt: receipt.base64EncodedString(), transactionReceipt: String($0.3))
        }
        try #require(items.count == count, "\(program.output)\(program.errors)")
        return items.sorted { $0.transaction < $1.transaction }
    }

    /// The same up to a crash; how the app ended.
    func buyAndKeepCrashing(_ products: [String], at point: String) throws -> Int32 {
        try probe(products, products.count, "phone", ["BODEGA_CRASH_POINT": point]).wait()
    }

    private func probe(
        _ products: [String], _ count: Int, _ device: String, _ environment: [String: String]
    ) throws -> Program {
        try Program(
            "PurchaseProbe", ["--keep", "--until=\(count)"] + products,
            environment: appEnvironment(device: device).merging(environment) { $1 },
            logs: folder + "/logs")
    }

    /// Writes what is in base64 into a file of the lab; its path.
    func write(_ base64: String, _ name: String) throws -> String {
        let path = folder + "/" + name
        try #require(Data(base64Encoded: base64)).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// A new user of the backend; their token.
    func backendUser(_ name: String) throws -> String {
        let answer = try Self.call(
            "POST", backendURL + "/v1/users",
            body: try WireJSON.encode(
                BackendCredentialsBody(name: name, password: "steering-wheel-1")))
        return try WireJSON.decode(BackendSessionBody.self, from: answer.body).token
    }

    /// What the backend answers to a receipt.
    func submit(
        _ receipt: String, of item: BoughtItem, version: String = "1.0", as token: String
    ) throws -> ReceiptOutcomeBody {
        let answer = try Self.call(
            "POST", backendURL + "/v1/receipts", token: token,
            body: try WireJSON.encode(
                ReceiptSubmissionBody(
                    receiptData: receipt, productId: item.product,
                    transactionId: item.transaction, appVersion: version)))
        return try WireJSON.decode(ReceiptOutcomeBody.self, from: answer.body)
    }

    func grantCount() throws -> Int64 {
        try count("SELECT count(*) FROM grants", in: backendData + "/backend.sqlite")
    }
}
