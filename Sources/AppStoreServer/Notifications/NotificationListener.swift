import Foundation
import StoreHTTP
package import StoreWire

/// An app's server for trying notifications out: takes them, verifies them as Apple's libraries do,
/// and answers with one status.
package final class NotificationListener: Sendable {
    /// A delivery, with what it says or why it cannot be believed.
    package struct Received: Sendable {
        /// Type and subtype, as `DID_RENEW/BILLING_RECOVERY`; nil when nothing could be read.
        package let name: String?
        package let uuid: String?
        package let environment: String?
        /// Why it does not pass; nil for what does. Version 1 is not signed.
        package let refusal: String?
        /// The payload with the signed data in it decoded.
        package let payload: JSONValue?
    }

    /// Where it listens.
    package let url: String
    private let listener: HTTPListener

    /// `roots` are the certificates (DER) of the stores whose notifications pass.
    package init(
        host: String, port: Int, roots: [[UInt8]], status: Int,
        received: @escaping @Sendable (Received) -> Void
    ) throws(StartFailure) {
        let reader = SignedDataReader(roots: roots)
        let configuration = ListenerConfiguration(
            host: host, port: port, bodyBytesMax: { _, _, _ in 8 << 20 })
        do {
            listener = try HTTPListener(configuration) { request, responder in
                received(Received(request.body, reader))
                responder.send(
                    HTTPResponse(status: status, headers: HTTPHeaders(), body: []))
            }
        } catch {
            throw StartFailure(error.detail)
        }
        url = listener.url
    }

    package func stop() {
        listener.stop()
    }
}

extension NotificationListener.Received {
    fileprivate init(_ body: [UInt8], _ reader: SignedDataReader) {
        guard let json = try? JSONValue(parsing: body) else {
            self.init(refusal: "the body is not JSON")
            return
        }
        guard let jws = json["signedPayload"]?.string else {
            if let kind = json["notification_type"]?.string {
                self.init(
                    name: kind, uuid: nil, environment: json["environment"]?.string, refusal: nil,
                    payload: json)
            } else {
                self.init(refusal: "the body has no signedPayload")
            }
            return
        }
        do throws(SignedDataReader.Refusal) {
            let payload = try reader.payload(of: jws)
            let kind = payload["notificationType"]?.string ?? "unknown"
            self.init(
                name: kind + (payload["subtype"]?.string.map { "/\($0)" } ?? ""),
                uuid: payload["notificationUUID"]?.string,
                environment: payload["data"]?["environment"]?.string
                    ?? payload["summary"]?["environment"]?.string,
                refusal: nil, payload: payload)
        } catch {
            self.init(refusal: error.description)
        }
    }

    private init(refusal: String) {
        self.init(name: nil, uuid: nil, environment: nil, refusal: refusal, payload: nil)
    }
}
