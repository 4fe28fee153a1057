import BodegaTesting
import Foundation
import StoreKit
import Testing

/// Products as StoreKit 2 loads them.
@Suite struct LoadedProductTests {
    @Test func `products of every kind come with price, period and offer`() async throws {
        try await Kiosk.world().run {
            let products = try await Product.products(for: [
                Kiosk.issue, Kiosk.archive, Kiosk.summer, Kiosk.monthly, Kiosk.yearly,
            ])
            let types = Dictionary(uniqueKeysWithValues: products.map { ($0.id, $0.type) })
            #expect(
                types == [
                    Kiosk.issue: .consumable, Kiosk.archive: .nonConsumable,
                    Kiosk.summer: .nonRenewable, Kiosk.monthly: .autoRenewable,
                    Kiosk.yearly: .autoRenewable,
                ])
            let month = try #require(products.first { $0.id == Kiosk.monthly })
            #expect(month.displayName == "Monthly" && month.displayPrice == "$4.99")
            #expect(month.price == Decimal(string: "4.99"))
            let info = try #require(month.subscription)
            #expect(info.subscriptionPeriod == .monthly && info.groupLevel == 2)
            #expect(info.subscriptionGroupID == Kiosk.group)
            let offer = try #require(info.introductoryOffer)
            #expect(offer.id == nil && offer.paymentMode == .freeTrial && offer.period == .weekly)
            #expect(products.filter { $0.subscription == nil }.count == 3)
            #expect(products.first { $0.id == Kiosk.archive }?.isFamilyShareable == true)
        }
    }

    @Test func `unknown and repeated identifiers are passed over, and 1,001 are no trouble`()
        async throws
    {
        try await Kiosk.world().run {
            let none = try await Product.products(for: [String]())
            #expect(none.isEmpty)
            let wanted = [Kiosk.issue, Kiosk.issue, "com.example.nothing", ""]
            #expect(try await Product.products(for: wanted).map(\.id) == [Kiosk.issue])
            let many = (0..<1_000).map { "com.example.nothing\($0)" } + [Kiosk.archive]
            #expect(try await Product.products(for: many).map(\.id) == [Kiosk.archive])
        }
    }
}
