import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreVerification

/// The shared secret that `verifyReceipt` asks for with subscriptions that renew.
enum ReceiptSecret {
    /// Whether the `password` of a request fits a receipt with purchases of these kinds: a secret
    /// of the receipt's app, or of the developer account that owns the app.
    static func check(
        _ password: String?, ofApp bundleID: String, kinds: [ProductKind], in scene: Scene
    ) throws -> SecretCheck {
        guard VerifyReceiptRules.needsSecret(kinds) else {
            return .notNeeded
        }
        guard let password else { return .wrong }
        let realNow = scene.world.time.real()
        let accepted = try scene.world.database.read { scope in
            try scope.acceptedSecretDigests(forBundleID: bundleID, realNow: realNow)
        }
        let given = sha256(Array(password.utf8))
        // All are compared, so that the time does not reveal which was near.
        let fitting = accepted.map { isEqualInConstantTime($0, given) }.filter { $0 }
        return fitting.isEmpty ? .wrong : .right
    }
}
