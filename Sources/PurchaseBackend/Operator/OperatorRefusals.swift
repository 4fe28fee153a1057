import StoreService

/// Why an operator's request is refused.
extension Refusal {
    static let operatorTokenWrong = Self(
        401, "operatorTokenWrong",
        "The operator token is missing or wrong; it stands in the data directory's "
            + "\(OperatorToken.fileName) file.")

    static let noSubmission = Self.notFound("There is no submission with that identifier.")

    static let alreadyDelivered = Self(
        409, "alreadyDelivered",
        "This submission was already granted: there is nothing to retry.")

    static let notDelivered = Self(
        409, "notDelivered",
        "This submission was not granted: there is nothing to recheck.")

    static let receiptDropped = Self(
        410, "receiptDropped",
        "The bytes of this refused receipt were deleted: the app has to send it again.")

    static let stillAsking = Self(
        503, "stillAsking",
        "The store has not answered yet; check the submission's history in 30 seconds.",
        retryAfterSeconds: 30)

    static func noClearAnswer(_ reason: String) -> Self {
        .init(
            503, "noClearAnswer",
            "The store gave no clear answer (\(reason)); nothing was changed: try again "
                + "in 60 seconds.",
            retryAfterSeconds: 60)
    }
}
