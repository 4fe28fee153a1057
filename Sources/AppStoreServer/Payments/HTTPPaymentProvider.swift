import StoreCaller
import StoreModel
import StoreRules
import StoreWire

/// A payment provider at an address; see `docs/payment-gateway.md`.
struct HTTPPaymentProvider: PaymentProvider {
    /// Without a slash at its end.
    private let url: String
    private let secret: String?
    private let caller: Caller
    private let cancellation: CallCancellation

    init(_ configuration: PaymentGatewayConfiguration) {
        url = configuration.url
        secret = configuration.secret
        caller = Caller(certificateAuthorityFile: configuration.certificateAuthorityFile)
        cancellation = CallCancellation()
    }

    func close() { cancellation.cancel() }

    func ask(_ request: ProviderRequest) -> ProviderOutcome {
        do {
            let response = try caller.send(try call(request), cancellation: cancellation)
            guard response.status == 200 else {
                return .unknown(why: "the payment provider answered \(response.status)")
            }
            return try outcome(response.body)
        } catch let error as CallerError {
            return .unknown(why: "\(error)")
        } catch {
            return .unknown(why: "the payment provider's answer cannot be read: \(error)")
        }
    }

    private func call(_ request: ProviderRequest) throws -> CallerRequest {
        var headers = [
            ("Content-Type", "application/json"), ("Idempotency-Key", request.idempotencyKey),
        ]
        if let secret { headers.append(("Authorization", "Bearer \(secret)")) }
        return CallerRequest(
            method: "POST", url: url + request.path, headers: headers,
            body: try WireJSON.encode(ProviderRequestBody(request)),
            timeoutMilliseconds: Limits.providerCallMilliseconds,
            responseBodyMax: Limits.providerAnswerBytesMax)
    }

    private func outcome(_ body: [UInt8]) throws -> ProviderOutcome {
        let answer = try WireJSON.decodeBody(ProviderAnswerBody.self, from: body)
        return switch answer.outcome {
        case .approved: .approved(reference: answer.reference.map(Self.shortened))
        case .declined: .declined(reason: answer.reason.map(Self.shortened))
        }
    }

    private static func shortened(_ text: String) -> String {
        String(text.prefix(Limits.providerTextMax))
    }
}

extension ProviderRequest {
    /// Below the provider's address.
    fileprivate var path: String {
        switch self {
        case .authorize: "/authorizations"
        case .capture: "/captures"
        case .void: "/voids"
        case .refund: "/refunds"
        }
    }

    /// The same for the same request, however often it is sent.
    fileprivate var idempotencyKey: String {
        switch self {
        case .authorize(let payment, _, _): "\(payment.id)/authorization"
        case .capture(let id, _): "\(id)/capture"
        case .void(let id): "\(id)/void"
        case .refund(let refund): "\(refund.id)/refund"
        }
    }
}

extension ProviderRequestBody {
    fileprivate init(_ request: ProviderRequest) {
        switch request {
        case .authorize(let payment, let customer, let bundleID):
            self.init(paymentId: payment.id.rawValue, amount: payment.amount)
            customerId = "\(payment.account)"
            self.customer = customer
            bundleId = bundleID
            productId = payment.product.rawValue
            switch payment.purpose {
            case .purchase: purpose = .purchase
            case .renewal: purpose = .renewal
            }
        case .capture(let id, let amount): self.init(paymentId: id.rawValue, amount: amount)
        case .void(let id): self.init(paymentId: id.rawValue)
        case .refund(let refund):
            self.init(paymentId: refund.payment.rawValue, amount: refund.amount)
            refundId = refund.id.rawValue
        }
    }
}
