import Foundation
import StoreKit

/// The game's own server: it knows the products and the players, checks receipts and keeps the
/// content to deliver.
struct Backend {
    /// The outcome of a purchase at the backend.
    enum Delivery {
        /// With the state of its subscription, if it has one; without content when there is none
        /// to deliver, such as for a subscription that has ended meanwhile.
        case granted(Content?, Membership?)
        /// The backend has received it and will check it later.
        case kept(String)
        case refused(reason: String, message: String)
    }

    struct Content {
        let name: String
        let mediaType: String
        let data: Data
    }

    /// The state of one of the player's subscriptions, including the kind that StoreKit does not
    /// restore.
    struct Membership: Decodable {
        let productId: String
        let state: String
        let isServed: Bool
        /// Milliseconds since 1970, by the store's clock.
        let expires: Int64
        /// The product of the next period; nil when the store does not say, or none follows.
        let renewsAs: String?

        var end: Date { Date(timeIntervalSince1970: Double(expires) / 1_000) }
    }

    /// A purchase that the backend granted to the player, on any device.
    struct Purchase: Decodable {
        let productId: String
        let transactionId: String
        let quantity: Int
        /// Milliseconds since 1970; nil while it stands.
        let refundedAt: Int64?
    }

    /// Everything granted to the player.
    struct Owned: Decodable {
        let purchases: [Purchase]
        let subscriptions: [Membership]
    }

    struct Trouble: Error, CustomStringConvertible {
        let description: String
        /// Whether the backend refused the token.
        var isSignedOut = false
    }

    /// A player who is signed in.
    struct Player: Codable, Equatable {
        let userId: String
        let token: String
    }

    private struct ProductList: Decodable {
        let productIdentifiers: [String]
    }
    private struct Receipt: Encodable {
        let receiptData: String
        let productId: String
        let transactionId: String
        let appVersion: String
        let passThrough: [String: String]
    }
    private struct SentContent: Decodable {
        let name: String
        let mediaType: String
        let data: String

        var content: Content? {
            Data(base64Encoded: data).map { Content(name: name, mediaType: mediaType, data: $0) }
        }
    }
    private struct Answer: Decodable {
        let status: String?
        let reason: String?
        let message: String?
        let content: SentContent?
        let subscription: Membership?
        let passThrough: [String: String]?
    }
    private struct Refusal: Decodable {
        struct Reason: Decodable {
            let message: String
        }
        let error: Reason
    }
    typealias Then<Value> = (Result<Value, Trouble>) -> Void

    private static let secondsMax = 30.0
    /// Keeps neither cookies nor answers, so that nothing is written into the user's home.
    private static let session = URLSession(configuration: .ephemeral)
    let garage: Garage

    func products(_ then: @escaping Then<[String]>) {
        call("GET", "v1/products") { result in
            then(
                result.flatMap { status, data in
                    guard status == 200,
                        let list = try? JSONDecoder().decode(ProductList.self, from: data)
                    else { return .failure(Self.trouble("asking for products", status, data)) }
                    return .success(list.productIdentifiers)
                })
        }
    }

    /// Signs the player in, or up when the name is free.
    ///
    /// `token` is one that the device was given before, even if it has ended.
    /// Another launch may sign the player up at the same moment: when the name is taken by then, it
    /// signs in once more.
    func signIn(
        _ name: String, _ password: String, knownBy token: String?, isLast: Bool = false,
        _ then: @escaping Then<Player>
    ) {
        let body = try? JSONEncoder().encode(["name": name, "password": password])
        func read(_ data: Data) -> Result<Player, Trouble> {
            guard let player = try? JSONDecoder().decode(Player.self, from: data) else {
                return .failure(Trouble(description: "the backend's answer cannot be read"))
            }
            return .success(player)
        }
        call("POST", "v1/sessions", token: token, body: body) { result in
            switch result {
            case .failure(let trouble): then(.failure(trouble))
            case .success((200, let data)): then(read(data))
            case .success((401, _)) where isLast:
                then(.failure(Trouble(description: "the password of \(name) is wrong")))
            case .success((401, _)):
                call("POST", "v1/users", body: body) { result in
                    switch result {
                    case .failure(let trouble): then(.failure(trouble))
                    case .success((201, let data)): then(read(data))
                    case .success((409, _)):
                        signIn(name, password, knownBy: token, isLast: true, then)
                    case .success((let status, let data)):
                        then(.failure(Self.trouble("signing up", status, data)))
                    }
                }
            case .success((let status, let data)):
                then(.failure(Self.trouble("signing in", status, data)))
            }
        }
    }

    /// Sends the receipt with the purchase; the backend asks the store and answers.
    func deliver(
        receipt: Data, product: String, transaction: String, as player: Player,
        _ then: @escaping Then<Delivery>
    ) {
        let passThrough = ["player": player.userId, "game": "RocketCar"]
        let body = try? JSONEncoder().encode(
            Receipt(
                receiptData: receipt.base64EncodedString(), productId: product,
                transactionId: transaction, appVersion: garage.version, passThrough: passThrough))
        call("POST", "v1/receipts", token: player.token, body: body) { result in
            then(result.flatMap { Self.delivery(status: $0, data: $1, passThrough) })
        }
    }

    /// Everything granted to the player, and the state of subscriptions.
    func owned(by player: Player, _ then: @escaping Then<Owned>) {
        call("GET", "v1/purchases", token: player.token) { result in
            then(
                result.flatMap { status, data in
                    guard status == 200,
                        let owned = try? JSONDecoder().decode(Owned.self, from: data)
                    else { return .failure(Self.trouble("asking for purchases", status, data)) }
                    return .success(owned)
                })
        }
    }

    /// The content of a product that the player owns; nil when there is none.
    func content(of product: String, for player: Player, _ then: @escaping Then<Content?>) {
        call("GET", "v1/products/\(product)/content", token: player.token) { result in
            then(
                result.flatMap { status, data in
                    if status == 404 { return .success(nil) }
                    let sent = try? JSONDecoder().decode(SentContent.self, from: data)
                    guard status == 200, let content = sent?.content else {
                        return .failure(
                            Self.trouble("asking for the content of \(product)", status, data))
                    }
                    return .success(content)
                })
        }
    }

    private static func delivery(
        status: Int, data: Data, _ passThrough: [String: String]
    ) -> Result<Delivery, Trouble> {
        let answer = try? JSONDecoder().decode(Answer.self, from: data)
        switch (status, answer?.status) {
        case (200, "granted"), (200, "alreadyGranted"):
            let content = answer?.content?.content
            guard answer?.passThrough == passThrough,
                (content == nil) == (answer?.content == nil)
            else { return .failure(Trouble(description: "the backend's answer is incomplete")) }
            return .success(.granted(content, answer?.subscription))
        case (202, _): return .success(.kept(answer?.message ?? "it will be checked later"))
        case (403, "refused"), (422, "refused"):
            return .success(
                .refused(reason: answer?.reason ?? "unknown", message: answer?.message ?? ""))
        default: return .failure(trouble("sending the receipt", status, data))
        }
    }

    /// What the backend answered in place of what was asked for, with its own reason.
    private static func trouble(_ deed: String, _ status: Int, _ data: Data) -> Trouble {
        let reason = try? JSONDecoder().decode(Refusal.self, from: data).error.message
        return Trouble(
            description: "\(deed) gave \(status)" + (reason.map { ": \($0)" } ?? ""),
            isSignedOut: status == 401)
    }

    private func call(
        _ method: String, _ path: String, token: String? = nil, body: Data? = nil,
        _ then: @escaping Then<(Int, Data)>
    ) {
        var request = URLRequest(
            url: garage.backendURL.appendingPathComponent(path), timeoutInterval: Self.secondsMax)
        request.httpMethod = method
        if let body {
            request.httpBody = body
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let answer = Handover(then)
        Self.session.dataTask(with: request) { data, response, error in
            let result: Result<(Int, Data), Trouble>
            if let response = response as? HTTPURLResponse {
                result = .success((response.statusCode, data ?? Data()))
            } else {
                let reason = error?.localizedDescription ?? "no answer"
                result = .failure(Trouble(description: "no backend: \(reason)"))
            }
            DispatchQueue.main.async { answer.then(result) }
        }.resume()
    }

    /// Carries a callback back to the main thread, where all of the app's code runs.
    private struct Handover: @unchecked Sendable {
        let then: Then<(Int, Data)>

        init(_ then: @escaping Then<(Int, Data)>) {
            self.then = then
        }
    }
}
