import Testing

@testable import AppStoreServer

/// The address that certificates name, as the operator gives it.
struct ResponderAddressTests {
    private func checked(_ text: String) throws -> String? {
        var configuration = StoreConfiguration(dataDirectory: "/nowhere")
        configuration.ocspAddress = text
        return try configuration.checkedOCSPAddress()
    }

    @Test(arguments: [
        "http://127.0.0.1:8080", "https://store.example", "http://store.example:8080/bodega",
        "http://[::1]:8080",
    ])
    func `an address that verifiers can use is taken as it is`(text: String) throws {
        #expect(try checked(text) == text)
    }

    @Test(arguments: [
        "", "store.example", "//store.example", "ftp://store.example", "http://",
        "http://store.example/", "http://store.example?a=b", "http://store.example#a",
        "http://user@store.example", "http://store example", "http://störe.example",
        "http://" + String(repeating: "a", count: 200),
    ])
    func `an address that they cannot use is refused`(text: String) {
        #expect(throws: StartFailure.self) { try checked(text) }
    }
}
