import StoreHTTP

extension StoreDocument {
    static let process = processPaths(
        readiness: "Whether the default world's database answers", isAtRootOnly: true)

    static let processSchemas = healthSchema
}
