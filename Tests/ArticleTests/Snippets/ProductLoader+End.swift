import StoreKit

// begin
extension ProductLoader {
    func requestDidFinish(_ request: SKRequest) {
        print("That is all there is.")
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        print("The shop is closed: \(error.localizedDescription)")
    }
}
// end
