/// A small catalogue with one product of each kind.
enum Samples {
    static let turbo = "com.example.rocketcar.turbo"
    static let fuel = "com.example.rocketcar.fuel"
    static let season = "com.example.rocketcar.season"
    static let club = "com.example.rocketcar.club"

    static let catalogue = catalogue(fuelPrice: "0.99")

    static func catalogue(
        fuelPrice: String, withTurbo: Bool = true, turboType: String = "NonConsumable"
    )
        -> String
    {
        let turboItem = """
            {
              "displayPrice" : "2.99",
              "familyShareable" : false,
              "internalID" : "00000001",
              "localizations" : [
                { "description" : "For good.", "displayName" : "Turbo", "locale" : "en_US" },
                { "description" : "Für immer.", "displayName" : "Turbo DE", "locale" : "de_DE" }
              ],
              "productID" : "\(turbo)",
              "referenceName" : "Turbo",
              "type" : "\(turboType)"
            },
            """
        return """
            {
              "identifier" : "5A1E7C40",
              "nonRenewingSubscriptions" : [
                {
                  "displayPrice" : "4.99",
                  "familyShareable" : false,
                  "internalID" : "00000002",
                  "localizations" : [],
                  "productID" : "\(season)",
                  "referenceName" : "Season",
                  "type" : "NonRenewingSubscription"
                }
              ],
              "products" : [
                \(withTurbo ? turboItem : "")
                {
                  "displayPrice" : "\(fuelPrice)",
                  "familyShareable" : false,
                  "internalID" : "00000003",
                  "localizations" : [
                    { "description" : "A tank.", "displayName" : "Fuel", "locale" : "en_US" }
                  ],
                  "productID" : "\(fuel)",
                  "referenceName" : "Fuel",
                  "type" : "Consumable"
                }
              ],
              "settings" : { "_timeRate" : 0 },
              "subscriptionGroups" : [
                {
                  "id" : "AAAAAAAA",
                  "localizations" : [],
                  "name" : "Club",
                  "subscriptions" : [
                    {
                      "adHocOffers" : [],
                      "codeOffers" : [],
                      "displayPrice" : "1.99",
                      "familyShareable" : false,
                      "groupNumber" : 1,
                      "internalID" : "00000004",
                      "introductoryOffer" : null,
                      "localizations" : [],
                      "productID" : "\(club)",
                      "recurringSubscriptionPeriod" : "P1M",
                      "referenceName" : "Club",
                      "subscriptionGroupID" : "AAAAAAAA",
                      "type" : "RecurringSubscription"
                    }
                  ]
                }
              ],
              "version" : { "major" : 3, "minor" : 0 }
            }
            """
    }
}
