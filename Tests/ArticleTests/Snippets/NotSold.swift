import StoreKit

// begin
func report(_ response: SKProductsResponse) {
    for identifier in response.invalidProductIdentifiers {
        print("\(identifier) is not for sale")
    }
}
// end
