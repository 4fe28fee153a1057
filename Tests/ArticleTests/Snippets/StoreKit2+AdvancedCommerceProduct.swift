import StoreKit

// begin
func countOfSongs() async throws -> Int {
    let songs = try await AdvancedCommerceProduct(id: "com.example.songs")
    return await songs.allTransactions.reduce(0) { count, _ in count + 1 }
}
// end
