/// Of a product page: the number of the app or of what else is sold.
public let SKStoreProductParameterITunesItemIdentifier: String = "id"

/// Of a product page: the promoted product to show first.
public let SKStoreProductParameterProductIdentifier: String = "productIdentifier"

/// Of a product page: the affiliate.
public let SKStoreProductParameterAffiliateToken: String = "at"

/// Of a product page: the affiliate's campaign.
public let SKStoreProductParameterCampaignToken: String = "ct"

/// Of a product page: the provider of analytics.
public let SKStoreProductParameterProviderToken: String = "pt"

/// Of a product page: the advertising partner.
public let SKStoreProductParameterAdvertisingPartnerToken: String = "advp"
