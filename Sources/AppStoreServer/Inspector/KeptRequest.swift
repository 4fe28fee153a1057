import Foundation
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreVerification
import StoreWire

/// Texts of clients as the inspector keeps them: without hidden characters, and cut.
enum KeptText {
    static let methodMax = 32
    static let pathMax = 1_024
    static let queryMax = 4_096
    static let headersMax = 40
    static let headerMax = 512
    static let fieldMax = 1_024

    static func line(_ text: String, bytesMax: Int) -> String {
        // Twice: it may be long, and escapes make it longer.
        let short = SafeJSON.prefix(of: text, bytesMax: bytesMax)
        return SafeJSON.prefix(of: VisibleText.of(short, isOneLine: true), bytesMax: bytesMax)
    }

    /// With a mark at the end when it was cut.
    static func marked(_ text: String, bytesMax: Int) -> String {
        let kept = line(text, bytesMax: bytesMax)
        return text.utf8.count > bytesMax ? kept + cutMark : kept
    }

    /// Nothing that is percent-encoded has it.
    static let cutMark = "…"

    static func field(_ value: Log.Value) -> String {
        switch value {
        case .text(let text): line(text, bytesMax: fieldMax)
        case .number(let number): "\(number)"
        case .secret(let count): Log.Value.mark(ofSecret: count)
        }
    }
}

/// A request and its answer in detail, without secrets.
struct KeptRequest: Sendable {
    let details: Activity.Details
    private let query: [(name: String, value: String)]
    private let names: [String: String]

    init(_ request: HTTPRequest, _ answer: HTTPResponse) {
        let (requestBody, names) = Self.payload(request.body)
        details = Activity.Details(
            query: Self.query(request.query),
            headers: request.headers.fields.prefix(KeptText.headersMax).map(Self.header),
            requestBody: requestBody,
            answerBody: answer.slice == nil
                ? Self.payload(answer.body).0
                : ActivityPayloadBody(
                    text: nil, bytes: Int64(answer.byteCount), isCut: true, sha256: nil))
        query = request.query
        self.names = names
    }

    /// The account that a request names, at the address of its place.
    func account(at place: RoutePlace) -> String? {
        let isOfAccounts = place.table == .control && place.segments.first == "accounts"
        let name =
            query.first { $0.name == "account" }?.value
            ?? names["account"] ?? (isOfAccounts ? names["name"] : nil)
        return name.map { KeptText.line($0, bytesMax: Limits.accountNameBytesMax) }
    }

    /// The app that it names.
    func app(at place: RoutePlace) -> String? {
        let isBelowApp =
            place.table == .control && place.segments.first == "apps" && place.segments.count > 1
        let name =
            isBelowApp
            ? place.segments[1] : query.first { $0.name == "app" }?.value ?? names["bundleId"]
        return name.map { KeptText.line($0, bytesMax: Limits.identifierBytesMax) }
    }

    private static func payload(
        _ body: [UInt8]
    ) -> (body: ActivityPayloadBody?, names: [String: String]) {
        guard !body.isEmpty else { return (nil, [:]) }
        guard body.count <= Limits.activityBodyReadMax else {
            let counted = ActivityPayloadBody(
                text: nil, bytes: Int64(body.count), isCut: true, sha256: nil)
            return (counted, [:])
        }
        let json = SafeJSON(body, bytesMax: Limits.activityBodyMax)
        let isOpen = json.map { !$0.hasSecrets && !$0.isCut } ?? isBinary(body)
        let kept = ActivityPayloadBody(
            text: json?.text, bytes: Int64(body.count), isCut: json?.isCut ?? true,
            sha256: isOpen ? hexadecimal(sha256(body)) : nil)
        return (kept, json?.names ?? [:])
    }

    /// Text that is not JSON may be a form with a password.
    private static func isBinary(_ body: [UInt8]) -> Bool {
        body.contains(0) || String(validating: body, as: UTF8.self) == nil
    }

    private static func query(_ items: [(name: String, value: String)]) -> String? {
        guard !items.isEmpty else { return nil }
        var kept = ""
        for (name, value) in items {
            let isShown = MemberSecrets.verdict(name) == .shown
            let shown = isShown ? encoded(value) : Log.Value.mark(ofSecret: value.utf8.count)
            let next = (kept.isEmpty ? "" : "&") + "\(encoded(name))=\(shown)"
            guard kept.utf8.count + next.utf8.count <= KeptText.queryMax else {
                return kept + KeptText.cutMark
            }
            kept += next
        }
        return kept
    }

    /// As a client may send it again.
    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unencoded) ?? ""
    }

    private static let unencoded = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~@:/,")

    /// Fields that are worth seeing and never have a secret; of others, only the length is kept.
    private static let shownHeaders: Set = [
        "accept", "accept-encoding", "accept-language", "connection", "content-encoding",
        "content-length", "content-type", "expect", "host", "if-none-match", "if-range", "origin",
        "range", "transfer-encoding", "user-agent",
    ]

    private static func header(_ field: HTTPHeaders.Field) -> ActivityHeaderBody {
        let isShown = shownHeaders.contains(field.name.lowercased())
        return ActivityHeaderBody(
            name: KeptText.line(field.name, bytesMax: KeptText.headerMax),
            value: isShown
                ? KeptText.line(field.value, bytesMax: KeptText.headerMax)
                : Log.Value.mark(ofSecret: field.value.utf8.count))
    }
}

/// Why an answer refuses its request.
struct AnswerReason: Sendable {
    let code: String
    let why: String?

    /// The error of an answer, in any of the store's shapes; nil when it does not refuse.
    init?(_ answer: HTTPResponse) {
        // An attempt that is refused is answered with 200; its refusal is at the beginning.
        let isRefusal =
            answer.status >= 400
            || answer.status == 200
                && Self.hasRefusal(answer.body)
        guard isRefusal, answer.body.count <= Self.bytesMax,
            let body = try? JSONValue(parsing: answer.body)
        else { return nil }
        if let error = body["error"] ?? body["refusal"], let code = error["code"]?.string {
            self.init(code, error["message"]?.string)
        } else if let code = body["errorCode"]?.number {
            self.init(code, body["errorMessage"]?.string)
        } else {
            return nil
        }
    }

    /// A status of `verifyReceipt` other than 0, with what the log says about it.
    init(receiptStatus: String, _ why: String?) {
        let status = Int(receiptStatus).flatMap(VerifyReceiptStatus.init(rawValue:))
        self.init(receiptStatus, why ?? status?.meaning)
    }

    private init(_ code: String, _ why: String?) {
        self.code = KeptText.line(code, bytesMax: 64)
        self.why = why.map { KeptText.line($0, bytesMax: KeptText.fieldMax) }
    }

    private static let bytesMax = 16 << 10
    private static let refusalMember = Array("\"refusal\":{\"code\":".utf8)
    private static func hasRefusal(_ body: [UInt8]) -> Bool {
        body.prefix(160).hasPart(refusalMember)
    }
}
