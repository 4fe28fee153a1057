import Foundation

/// The members by which signed data tell that they are for this device.
///
/// What servers get of the same data lacks them, and a value without them matches no device: the
/// verification fails then, not the reading.
struct DeviceVerification {
    let digest: Data
    let nonce: UUID

    init(_ payload: PayloadMembers) {
        digest = payload.base64("deviceVerification") ?? Data()
        nonce =
            payload.uuid("deviceVerificationNonce")
            ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
}
