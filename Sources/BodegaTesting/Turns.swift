/// Runs bodies one after another, in the order in which they are asked for.
actor Turns {
    private var last: Task<Void, any Error>?

    func take(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let turn = Task { [last] in
            _ = await last?.result
            try await body()
        }
        last = turn
        try await turn.value
    }
}
