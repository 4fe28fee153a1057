/// What a payment provider does badly in runs of random kills, as it is told.
enum ProviderFaults {
    /// Of every kind that ends by itself, and cards that are declined.
    static let purchases = """
        [{"fault": "decline", "address": "/authorizations", "probability": 0.15},
         {"fault": "decline", "address": "/captures", "probability": 0.1},
         {"fault": "decline", "address": "/refunds", "probability": 0.2},
         {"fault": "never", "probability": 0.01},
         {"fault": "huge", "bytes": 1000000, "probability": 0.02},
         {"fault": "slow", "milliseconds": 2, "probability": 0.04},
         {"fault": "late", "milliseconds": 300, "probability": 0.1},
         {"fault": "stall", "milliseconds": 200, "probability": 0.08},
         \(lost)]
        """
    /// A clock that is moved on waits for each answer, so few are lost, and none for long.
    static let renewals = """
        [{"fault": "decline", "address": "/authorizations", "probability": 0.05},
         {"fault": "late", "milliseconds": 20, "probability": 0.1},
         {"fault": "dropAfter", "probability": 0.01},
         {"fault": "errorAfter", "status": 500, "probability": 0.01},
         {"fault": "twice", "probability": 0.05}]
        """

    private static let lost = """
        {"fault": "dropBefore", "probability": 0.04},
        {"fault": "dropAfter", "probability": 0.06},
        {"fault": "errorBefore", "status": 503, "probability": 0.04},
        {"fault": "errorAfter", "status": 500, "probability": 0.06},
        {"fault": "errorAfter", "status": 429, "probability": 0.03},
        {"fault": "twice", "probability": 0.06},
        {"fault": "garbage", "probability": 0.03},
        {"fault": "wrongWord", "probability": 0.03},
        {"fault": "cut", "probability": 0.03}
        """
}
