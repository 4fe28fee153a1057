import StoreCaller
import StoreWire

// Bodies of requests and answers.
extension StoreConnection {
    func encoded(_ body: (some Encodable)?) throws(StoreFailure) -> [UInt8]? {
        guard let body else { return nil }
        do {
            return try WireJSON.encode(body)
        } catch {
            throw StoreFailure(.lost, "a request cannot be written: \(error)")
        }
    }

    func decoded<Answer: Decodable>(
        _: Answer.Type, _ response: CallerResponse
    ) throws(StoreFailure) -> Answer {
        do {
            return try WireJSON.decode(Answer.self, from: response.body)
        } catch {
            throw StoreFailure(
                .lost, "The store's answer cannot be read: \(WireJSON.explain(error)).",
                isAnswer: true)
        }
    }
}

/// Stands for the body of a request without one.
struct Nothing: Encodable {}
