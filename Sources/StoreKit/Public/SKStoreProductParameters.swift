/// For a product page: the number of the app or other item.
public let SKStoreProductParameterITunesItemIdentifier: String = "id"

/// For a product page: the promoted product to show first.
public let SKStoreProductParameterProductIdentifier: String = "productIdentifier"

/// For a product page: the affiliate.
public let SKStoreProductParameterAffiliateToken: String = "at"

/// For a product page: the affiliate's campaign.
public let SKStoreProductParameterCampaignToken: String = "ct"

/// For a product page: the analytics provider.
public let SKStoreProductParameterProviderToken: String = "pt"

/// For a product page: the advertising partner.
public let SKStoreProductParameterAdvertisingPartnerToken: String = "advp"
