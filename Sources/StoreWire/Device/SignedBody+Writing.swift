import StoreModel

extension SignedChangesBody: DirectJSON {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("cursor", cursor)
            if let deleted { $0.array("deleted", deleted) { $0.element($1) } }
            if let groups { $0.member("groups", groups) }
            $0.member("hasMore", hasMore)
            if let header { $0.member("header", plain: header) }
            $0.member("transactions", transactions)
        }
    }
}

extension SignedPurchaseBody: DirectJSON {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            if let groups { $0.member("groups", groups) }
            $0.member("header", plain: header)
            $0.member("transaction", transaction)
        }
    }
}

extension SignedTransactionBody: DirectJSON {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("attemptId", attemptId)
            $0.member("deviceGuid", deviceGuid)
            if let isFinished { $0.member("isFinished", isFinished) }
            $0.member("transaction", plain: transaction)
            $0.member("transactionId", transactionId)
        }
    }
}

extension SignedGroupBody: DirectJSON {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("groupId", groupId)
            $0.member("isEligibleForIntroductoryOffer", isEligibleForIntroductoryOffer)
            $0.member("statuses", statuses)
        }
    }
}

extension SignedStatusBody: DirectJSON {
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("originalTransactionId", originalTransactionId)
            $0.member("renewal", plain: renewal)
            $0.member("status", Int64(status))
            $0.member("transaction", plain: transaction)
        }
    }
}
