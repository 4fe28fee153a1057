import StoreWire

/// JSON bodies: anything read can be written and read again, and no body traps.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    readAsBodies(input)
    guard let document = try? JSONDocument(bytes: input) else { return 0 }
    let value = document.value
    hold((try? JSONValue(parsing: input)) == value, "both ways of reading give the same value")
    hold(document.range(of: .root) != nil, "the root has a place")
    let compact = value.compactBytes
    guard let again = try? JSONValue(parsing: compact) else {
        preconditionFailure("broken promise: compact JSON can be read")
    }
    hold(again == value, "written compactly and read again it is the same value")
    hold(again.compactBytes == compact, "written again it is the same text")
    guard let xcode = try? JSONValue(parsing: value.xcodeBytes) else {
        preconditionFailure("broken promise: Xcode's form can be read")
    }
    hold(xcode.xcodeBytes == value.xcodeBytes, "Xcode's form of Xcode's form is the same")
    return 0
}

/// Every body that a stranger can send; one that can be read can be written and read again.
private func readAsBodies(_ input: [UInt8]) {
    readAs(RegisterDeviceBody.self, input)
    readAs(SignInBody.self, input)
    readAs(ProductsRequestBody.self, input)
    readAs(AttemptRequestBody.self, input)
    readAs(DiscountBody.self, input)
    readAs(RedeemOfferCodeBody.self, input)
    readAs(RedeemForAccountBody.self, input)
    readAs(TakeWinBackBody.self, input)
    readAs(RestoreRequestBody.self, input)
    readAs(TransactionReceiptsRequestBody.self, input)
    readAs(ChangeKeyValuesBody.self, input)
    readAs(BackendCredentialsBody.self, input)
    readAs(ReceiptSubmissionBody.self, input)
    readAs(MakeAccountBody.self, input)
    readAs(PriceBody.self, input)
    readAs(MakeOfferCodeBody.self, input)
}

private func readAs<Body: Codable & Equatable>(_ type: Body.Type, _ input: [UInt8]) {
    do {
        let body = try WireJSON.decode(type, from: input)
        let again = try WireJSON.decode(type, from: try WireJSON.encode(body))
        hold(again == body, "a \(type) is the same after being written and read")
    } catch {
        hold(!WireJSON.explain(error).isEmpty, "an error has a sentence")
    }
}
