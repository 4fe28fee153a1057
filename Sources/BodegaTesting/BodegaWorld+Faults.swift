import StoreWire

extension BodegaWorld {
    /// What a world answers wrongly on purpose, to see how an app or a backend bears it.
    ///
    /// ```swift
    /// func loseTwoPurchases(in world: BodegaWorld) async throws {
    ///     try await world.faults.breakConnections(to: "/device/v1/attempts", count: 2)
    /// }
    /// ```
    ///
    /// Paths are below an environment, as the OpenAPI document writes them.
    public struct Faults: Sendable {
        private let world: BodegaWorld

        init(of world: BodegaWorld) {
            self.world = world
        }

        /// Answers requests with an HTTP status from 400 to 599; so many of them, or until `clear()`.
        public func answer(_ status: Int, to path: String, count: Int? = nil) async throws {
            try await add(path, count) { $0.status = status }
        }

        /// Closes the connection of requests without an answer.
        public func breakConnections(to path: String, count: Int? = nil) async throws {
            try await add(path, count) { $0.breaks = true }
        }

        /// Answers requests as usual, but late; at most 60 seconds.
        public func delay(_ path: String, by span: TimeSpan, count: Int? = nil) async throws {
            try await add(path, count) { $0.delayMilliseconds = Int(span.milliseconds) }
        }

        /// Answers receipts with a status of `verifyReceipt`: 21005, 21009, 21010, or 21100 to 21199.
        public func answerReceipts(_ status: Int, count: Int? = nil) async throws {
            try await put(
                "/verify-receipt",
                ReceiptFaultBody(status: status, isRetryable: nil, count: count))
        }

        /// Answers correctly again.
        public func clear() async throws {
            try await put("", FaultsBody(verifyReceipt: nil))
        }

        private func add(
            _ path: String, _ count: Int?, _ set: (inout RequestFaultBody) -> Void
        ) async throws {
            var fault = RequestFaultBody(path: path)
            fault.count = count
            set(&fault)
            try await put("/requests", fault)
        }

        private func put(_ place: String, _ body: any Encodable & Sendable) async throws {
            _ = try await world.ask(FaultsBody.self, "PUT", "/faults\(place)", body)
        }
    }
}

extension BodegaWorld {
    /// What it answers wrongly on purpose.
    public var faults: Faults { Faults(of: self) }
}
