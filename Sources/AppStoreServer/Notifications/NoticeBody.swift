import StoreDatabase
import StoreModel
import StoreRules
import StoreWire

/// Type and subtype of a notification, as the wire has them.
struct NoticeName: Hashable, Sendable {
    let kind: String
    let subtype: String?

    init(_ notice: NoticeV2) {
        kind = notice.kind.rawValue
        subtype = notice.subtype?.rawValue
    }

    init(_ notice: NoticeV1) {
        kind = notice.rawValue
        subtype = nil
    }

    init(_ notice: ServiceNotice, _ subtype: ServiceNotice.Subtype?) {
        kind = notice.rawValue
        self.subtype = subtype?.rawValue
    }

    private init(_ kind: String) {
        self.kind = kind
        subtype = nil
    }

    /// Asked for by the app's server.
    static let test = NoticeName("TEST")
}

/// The payload of a notification of version 2, with room for the signed data in it: these are signed
/// later, and put into the members that are empty here.
///
/// Source: Apple, *responseBodyV2DecodedPayload*.
struct NoticeBody {
    let notice: NoticeName
    let uuid: String
    let app: AppRow
    let environment: StoreEnvironment
    let environmentName: String
    let signedAt: Timestamp

    /// The bytes with one of the members *appData*, *data*, *externalPurchaseToken* and *summary*, which
    /// `content` writes.
    func json(_ content: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.object { json in
            content(&json)
            json.member("notificationType", plain: notice.kind)
            json.member("notificationUUID", plain: uuid)
            json.member("signedDate", signedAt.milliseconds)
            if let subtype = notice.subtype { json.member("subtype", plain: subtype) }
            json.member("version", plain: "2.0")
        }
        return writer.bytes
    }

    /// Source: Apple, *data*.
    func writeData(
        to json: inout JSONWriter, bundleVersion: String?, reason: RefundReason?,
        status: SignedStatus?
    ) {
        json.object("data") { json in
            writeApp(to: &json)
            if let bundleVersion { json.member("bundleVersion", bundleVersion) }
            if let reason { json.member("consumptionRequestReason", plain: reason.rawValue) }
            json.member("environment", plain: environmentName)
            if status != nil { json.member(SignedPart.renewal.rawValue, plain: "") }
            json.member(SignedPart.transaction.rawValue, plain: "")
            if let status { json.member("status", Int64(status.rawValue)) }
        }
    }

    /// The *data* of a test, about nothing that happened.
    func writeTestData(to json: inout JSONWriter) {
        json.object("data") { json in
            writeApp(to: &json)
            json.member("environment", plain: environmentName)
        }
    }

    /// Source: Apple, *appData*.
    func writeAppData(to json: inout JSONWriter) {
        json.object("appData") { json in
            writeApp(to: &json)
            json.member("environment", plain: environmentName)
            json.member(SignedPart.appTransaction.rawValue, plain: "")
        }
    }

    /// Source: Apple, *externalPurchaseToken*.
    func writeToken(_ id: String, madeAt: Timestamp, to json: inout JSONWriter) {
        json.object("externalPurchaseToken") { json in
            json.member("appAppleId", app.number.rawValue)
            json.member("bundleId", app.bundleID)
            json.member("externalPurchaseId", id)
            json.member("tokenCreationDate", madeAt.milliseconds)
        }
    }

    /// The app; in production with its number.
    func writeApp(to json: inout JSONWriter) {
        if environment == .production { json.member("appAppleId", app.number.rawValue) }
        json.member("bundleId", app.bundleID)
    }
}

/// A member of a notification that is itself signed.
enum SignedPart: String {
    case appTransaction = "signedAppTransactionInfo"
    case renewal = "signedRenewalInfo"
    case transaction = "signedTransactionInfo"
    /// The receipt in a notification of version 1.
    case receipt = "latest_receipt"
    /// The shared secret in it, which is not kept with notifications.
    case password

    /// Puts text without special characters into the empty member of a payload that `JSONWriter`
    /// wrote; false when it is not there. A quotation mark in a value is escaped, so no value looks like
    /// the member.
    @discardableResult
    func fill(_ text: some Collection<UInt8>, into payload: inout [UInt8]) -> Bool {
        let room = Array("\"\(rawValue)\":\"\"".utf8)
        let places = 0..<max(0, payload.count - room.count + 1)
        let place = places.first { start in
            payload[start] == room[0] && payload[start..<start + room.count].elementsEqual(room)
        }
        guard let place else { return false }
        payload.insert(contentsOf: text, at: place + room.count - 1)
        return true
    }

    /// Puts in the transaction that a notification is about, of a purchase or of an app.
    static func fillTransaction(_ text: some Collection<UInt8>, into payload: inout [UInt8]) {
        if !transaction.fill(text, into: &payload) { appTransaction.fill(text, into: &payload) }
    }
}
