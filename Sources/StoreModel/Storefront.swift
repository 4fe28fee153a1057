/// A country's store: its name, the currency it charges and how it writes a price.
package struct Storefront: Hashable, Sendable {
    /// ISO 3166-1 alpha-3, as `SKStorefront.countryCode` gives it.
    package let countryCode: String
    /// Apple's number of the storefront, as `SKStorefront.identifier` gives it.
    package let identifier: String
    package let currency: Currency
    /// The locale whose rules write a price here, unless the customer chose another.
    package let locale: String

    /// The storefront of a country code, or nil when the store does not have one there.
    package init?(countryCode: String) {
        guard let known = Self.byCountryCode[countryCode] else { return nil }
        self = known
    }

    private init(_ countryCode: String, _ identifier: Int, _ currency: String, _ locale: String) {
        self.countryCode = countryCode
        self.identifier = "\(identifier)"
        self.currency = Currency(known: currency)
        self.locale = locale
    }

    /// The storefront by default: the United States, as in Xcode's test store.
    package static let `default` = Storefront("USA", 143441, "USD", "en_US")

    /// All storefronts, by country code.
    package static let all: [Storefront] = [
        Storefront("ARE", 143481, "AED", "ar_AE"),
        Storefront("ARG", 143505, "USD", "es_AR"),
        Storefront("AUS", 143460, "AUD", "en_AU"),
        Storefront("AUT", 143445, "EUR", "de_AT"),
        Storefront("BEL", 143446, "EUR", "nl_BE"),
        Storefront("BGR", 143526, "EUR", "bg_BG"),
        Storefront("BRA", 143503, "BRL", "pt_BR"),
        Storefront("CAN", 143455, "CAD", "en_CA"),
        Storefront("CHE", 143459, "CHF", "de_CH"),
        Storefront("CHL", 143483, "CLP", "es_CL"),
        Storefront("CHN", 143465, "CNY", "zh_CN"),
        Storefront("COL", 143501, "COP", "es_CO"),
        Storefront("CZE", 143489, "CZK", "cs_CZ"),
        Storefront("DEU", 143443, "EUR", "de_DE"),
        Storefront("DNK", 143458, "DKK", "da_DK"),
        Storefront("EGY", 143516, "EGP", "ar_EG"),
        Storefront("ESP", 143454, "EUR", "es_ES"),
        Storefront("EST", 143518, "EUR", "et_EE"),
        Storefront("FIN", 143447, "EUR", "fi_FI"),
        Storefront("FRA", 143442, "EUR", "fr_FR"),
        Storefront("GBR", 143444, "GBP", "en_GB"),
        Storefront("GRC", 143448, "EUR", "el_GR"),
        Storefront("HKG", 143463, "HKD", "zh_HK"),
        Storefront("HRV", 143494, "EUR", "hr_HR"),
        Storefront("HUN", 143482, "HUF", "hu_HU"),
        Storefront("IDN", 143476, "IDR", "id_ID"),
        Storefront("IND", 143467, "INR", "en_IN"),
        Storefront("IRL", 143449, "EUR", "en_IE"),
        Storefront("ISR", 143491, "ILS", "he_IL"),
        Storefront("ITA", 143450, "EUR", "it_IT"),
        Storefront("JPN", 143462, "JPY", "ja_JP"),
        Storefront("KAZ", 143517, "KZT", "kk_KZ"),
        Storefront("KOR", 143466, "KRW", "ko_KR"),
        Storefront("LTU", 143520, "EUR", "lt_LT"),
        Storefront("LUX", 143451, "EUR", "fr_LU"),
        Storefront("LVA", 143519, "EUR", "lv_LV"),
        Storefront("MEX", 143468, "MXN", "es_MX"),
        Storefront("MYS", 143473, "MYR", "ms_MY"),
        Storefront("NGA", 143561, "NGN", "en_NG"),
        Storefront("NLD", 143452, "EUR", "nl_NL"),
        Storefront("NOR", 143457, "NOK", "nb_NO"),
        Storefront("NZL", 143461, "NZD", "en_NZ"),
        Storefront("PAK", 143477, "PKR", "en_PK"),
        Storefront("PER", 143507, "PEN", "es_PE"),
        Storefront("PHL", 143474, "PHP", "en_PH"),
        Storefront("POL", 143478, "PLN", "pl_PL"),
        Storefront("PRT", 143453, "EUR", "pt_PT"),
        Storefront("QAT", 143498, "QAR", "ar_QA"),
        Storefront("ROU", 143487, "RON", "ro_RO"),
        Storefront("RUS", 143469, "RUB", "ru_RU"),
        Storefront("SAU", 143479, "SAR", "ar_SA"),
        Storefront("SGP", 143464, "SGD", "en_SG"),
        Storefront("SVK", 143496, "EUR", "sk_SK"),
        Storefront("SVN", 143499, "EUR", "sl_SI"),
        Storefront("SWE", 143456, "SEK", "sv_SE"),
        Storefront("THA", 143475, "THB", "th_TH"),
        Storefront("TUR", 143480, "TRY", "tr_TR"),
        Storefront("TWN", 143470, "TWD", "zh_TW"),
        Storefront("UKR", 143492, "USD", "uk_UA"),
        Storefront("USA", 143441, "USD", "en_US"),
        Storefront("VNM", 143471, "VND", "vi_VN"),
        Storefront("ZAF", 143472, "ZAR", "en_ZA"),
    ]

    private static let byCountryCode = Dictionary(
        uniqueKeysWithValues: all.map { ($0.countryCode, $0) })
}
