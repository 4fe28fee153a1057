import Foundation
import StoreKit

/// Plain dictionaries, as bridges to other languages pass them.
public enum TransactionMaps {
    public static func map(_ transaction: SKPaymentTransaction) -> [String: Any] {
        var map: [String: Any] = [
            "transactionState": transaction.transactionState.rawValue,
            "payment": self.map(transaction.payment),
        ]
        map["transactionIdentifier"] = transaction.transactionIdentifier
        map["transactionTimeStamp"] = transaction.transactionDate?.timeIntervalSince1970
        map["receipt"] = transaction.transactionReceipt?.base64EncodedString()
        if let error = transaction.error as NSError? {
            map["error"] = ["code": error.code, "domain": error.domain]
        }
        if let original = transaction.original { map["original"] = self.map(original) }
        return map
    }

    public static func map(_ payment: SKPayment) -> [String: Any] {
        var map: [String: Any] = [
            "productIdentifier": payment.productIdentifier, "quantity": payment.quantity,
            "simulatesAskToBuyInSandbox": payment.simulatesAskToBuyInSandbox,
        ]
        map["applicationUsername"] = payment.applicationUsername
        map["requestData"] = payment.requestData.flatMap { String(data: $0, encoding: .utf8) }
        if let discount = payment.paymentDiscount {
            map["paymentDiscount"] = [
                "identifier": discount.identifier, "keyIdentifier": discount.keyIdentifier,
                "nonce": discount.nonce.uuidString, "signature": discount.signature,
                "timestamp": discount.timestamp,
            ]
        }
        return map
    }

    /// A payment from what the other language sent.
    public static func payment(_ map: [String: Any]) -> SKMutablePayment? {
        guard let identifier = map["productIdentifier"] as? String else { return nil }
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        payment.quantity = map["quantity"] as? Int ?? 1
        payment.applicationUsername = map["applicationUsername"] as? String
        payment.requestData = (map["requestData"] as? String)?.data(using: .utf8)
        payment.simulatesAskToBuyInSandbox = map["simulatesAskToBuyInSandbox"] as? Bool ?? false
        if let offer = map["paymentDiscount"] as? [String: Any],
            let nonce = (offer["nonce"] as? String).flatMap(UUID.init(uuidString:))
        {
            payment.paymentDiscount = SKPaymentDiscount(
                identifier: offer["identifier"] as? String ?? "",
                keyIdentifier: offer["keyIdentifier"] as? String ?? "", nonce: nonce,
                signature: offer["signature"] as? String ?? "",
                timestamp: offer["timestamp"] as? NSNumber ?? 0)
        }
        return payment
    }

    public static func map(_ storefront: SKStorefront) -> [String: String] {
        return ["countryCode": storefront.countryCode, "identifier": storefront.identifier]
    }
}
