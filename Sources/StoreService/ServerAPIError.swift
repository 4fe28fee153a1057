package import StoreHTTP
import StoreWire

/// Why a request to the App Store Server API fails: a number for programs and a sentence for people.
///
/// Source: Apple, *Error codes* (App Store Server API; Retention Messaging API), with the names and
/// numbers in Apple's server libraries.
package enum ServerAPIError: Int, Error, CaseIterable, Sendable {
    case generalBadRequest = 4_000_000
    case invalidAppIdentifier = 4_000_002
    case invalidLimit = 4_000_004
    case invalidRequestRevision = 4_000_005
    case invalidTransactionID = 4_000_006
    case invalidOriginalTransactionID = 4_000_008
    case invalidExtendByDays = 4_000_009
    case invalidExtendReasonCode = 4_000_010
    case invalidRequestIdentifier = 4_000_011
    case startDateTooFarInPast = 4_000_012
    case startDateAfterEndDate = 4_000_013
    case invalidPaginationToken = 4_000_014
    case invalidStartDate = 4_000_015
    case invalidEndDate = 4_000_016
    case paginationTokenExpired = 4_000_017
    case invalidNotificationType = 4_000_018
    case multipleFiltersSupplied = 4_000_019
    case invalidTestNotificationToken = 4_000_020
    case invalidSort = 4_000_021
    case invalidProductType = 4_000_022
    case invalidProductID = 4_000_023
    case invalidSubscriptionGroupIdentifier = 4_000_024
    case invalidExcludeRevoked = 4_000_025
    case invalidInAppOwnershipType = 4_000_026
    case invalidEmptyStorefrontCountryCodeList = 4_000_027
    case invalidStorefrontCountryCode = 4_000_028
    case invalidRevoked = 4_000_030
    case invalidStatus = 4_000_031
    case invalidAccountTenure = 4_000_032
    case invalidAppAccountToken = 4_000_033
    case invalidConsumptionStatus = 4_000_034
    case invalidCustomerConsented = 4_000_035
    case invalidDeliveryStatus = 4_000_036
    case invalidLifetimeDollarsPurchased = 4_000_037
    case invalidLifetimeDollarsRefunded = 4_000_038
    case invalidPlatform = 4_000_039
    case invalidPlayTime = 4_000_040
    case invalidSampleContentProvided = 4_000_041
    case invalidUserStatus = 4_000_042
    case invalidTransactionNotConsumable = 4_000_043
    case invalidRefundPreference = 4_000_044
    case invalidTransactionTypeNotSupported = 4_000_047
    case appTransactionIDNotSupported = 4_000_048
    case invalidImage = 4_000_161
    case headerTooLong = 4_000_162
    case bodyTooLong = 4_000_163
    case invalidLocale = 4_000_164
    case altTextTooLong = 4_000_175
    case invalidAppAccountTokenUUID = 4_000_183
    case familyTransactionNotSupported = 4_000_185
    case transactionIDIsNotOriginalTransactionID = 4_000_187
    case consumptionPercentageAutoRenewableSubscription = 4_000_209
    case invalidPerformanceTestRequest = 4_000_211
    case invalidRequestID = 4_000_212
    case existingPerformanceTestRun = 4_000_213
    case badRequestRealtimeURL = 4_000_215
    case badRequestImageSize = 4_000_216
    case badRequestTooManyBulletPoints = 4_000_218
    case badRequestBulletPointTextTooLong = 4_000_219
    case badRequestAboveImageRequiresAnImage = 4_000_224
    case invalidGroupID = 4_000_225
    case invalidAssignedTransactionNotSupported = 4_000_227
    case subscriptionExtensionIneligible = 4_030_004
    case subscriptionMaxExtension = 4_030_005
    case familySharedSubscriptionExtensionIneligible = 4_030_007
    case maximumNumberOfImagesReached = 4_030_014
    case maximumNumberOfMessagesReached = 4_030_016
    case messageNotApproved = 4_030_017
    case imageNotApproved = 4_030_018
    case imageInUse = 4_030_019
    case forbiddenNoPassingTest = 4_030_026
    case assignedSubscriptionExtensionIneligible = 4_030_028
    case accountNotFound = 4_040_001
    case accountNotFoundRetryable = 4_040_002
    case appNotFound = 4_040_003
    case appNotFoundRetryable = 4_040_004
    case originalTransactionIDNotFound = 4_040_005
    case originalTransactionIDNotFoundRetryable = 4_040_006
    case serverNotificationURLNotFound = 4_040_007
    case testNotificationNotFound = 4_040_008
    case statusRequestNotFound = 4_040_009
    case transactionIDNotFound = 4_040_010
    case imageNotFound = 4_040_014
    case messageNotFound = 4_040_015
    case performanceTestRunNotFound = 4_040_018
    case appTransactionDoesNotExist = 4_040_019
    case defaultMessageNotFound = 4_040_020
    case realtimeURLNotFound = 4_040_021
    case groupNotFound = 4_040_022
    case imageAlreadyExists = 4_090_000
    case messageAlreadyExists = 4_090_001
    case rateLimitExceeded = 4_290_000
    case generalInternal = 5_000_000
    case generalInternalRetryable = 5_000_001

    /// Those that may come from any address.
    static let general = [generalBadRequest, generalInternal, generalInternalRetryable]

    /// The HTTP status, which a number begins with.
    package var status: Int { rawValue / 10_000 }

    /// The answer, with a `ServerAPIErrorBody`.
    package var response: HTTPResponse {
        let body = ServerAPIErrorBody(errorCode: rawValue, errorMessage: message)
        return .json((try? WireJSON.encode(body)) ?? [], status: status)
    }

    /// The headers of an answer with one of some errors, for a document.
    static func headers(of errors: [ServerAPIError]) -> JSONValue? {
        guard errors.contains(.rateLimitExceeded) else { return nil }
        let text = "A Unix time in milliseconds; absent when another limit was reached."
        return ["Retry-After": ["description": .string(text), "schema": ["type": "integer"]]]
    }

    /// The error for a failure that would be refused with a status; nil for a status that keeps its
    /// refusal.
    init?(ofStatus status: Int) {
        switch status {
        case 400: self = .generalBadRequest
        case 500: self = .generalInternal
        case 503: self = .generalInternalRetryable
        default: return nil
        }
    }

    package var message: String {
        switch self {
        case .generalBadRequest: "Bad request."
        case .invalidAppIdentifier: "Invalid request app identifier."
        case .invalidLimit: "Invalid request limit."
        case .invalidRequestRevision: "Invalid request revision."
        case .invalidTransactionID: "Invalid transaction id."
        case .invalidOriginalTransactionID: "Invalid original transaction id."
        case .invalidExtendByDays: "Invalid extend by days value."
        case .invalidExtendReasonCode: "Invalid extend reason code."
        case .invalidRequestIdentifier: "Invalid request identifier."
        case .startDateTooFarInPast:
            "Invalid request. The start date is earlier than the allowed start date."
        case .startDateAfterEndDate:
            "Invalid request. The end date precedes the start date or the dates are the same."
        case .invalidPaginationToken: "Invalid request. The pagination token is invalid."
        case .invalidStartDate:
            "Invalid request. The start date is not a timestamp value represented in milliseconds."
        case .invalidEndDate:
            "Invalid request. The end date is not a timestamp value represented in milliseconds."
        case .paginationTokenExpired: "Invalid request. The pagination token is expired."
        case .invalidNotificationType:
            "Invalid request. The notification type or subtype is invalid."
        case .multipleFiltersSupplied:
            "Invalid request. Supply either a transaction id or a notification type, but not both."
        case .invalidTestNotificationToken:
            "Invalid request. The test notification token is invalid."
        case .invalidSort: "Invalid request. The sort parameter is invalid."
        case .invalidProductType: "Invalid request. The product type parameter is invalid."
        case .invalidProductID: "Invalid request. The product id parameter is invalid."
        case .invalidSubscriptionGroupIdentifier:
            "Invalid request. The subscription group identifier parameter is invalid."
        case .invalidExcludeRevoked: "Invalid request. The exclude revoked parameter is invalid."
        case .invalidInAppOwnershipType:
            "Invalid request. The in-app ownership type parameter is invalid."
        case .invalidEmptyStorefrontCountryCodeList:
            "Invalid request. If provided, the list of storefront country codes must not be empty."
        case .invalidStorefrontCountryCode:
            "Invalid request. A storefront country code was invalid."
        case .invalidRevoked: "Invalid request. The revoked parameter is invalid."
        case .invalidStatus: "Invalid request. The status parameter is invalid."
        case .invalidAccountTenure: "Invalid request. The account tenure field is invalid."
        case .invalidAppAccountToken:
            "Invalid request. The app account token field must contain a valid UUID or an "
                + "empty string."
        case .invalidConsumptionStatus: "Invalid request. The consumption status field is invalid."
        case .invalidCustomerConsented:
            "Invalid request. The customer consented field is required and must indicate "
                + "the customer consented."
        case .invalidDeliveryStatus: "Invalid request. The delivery status field is invalid."
        case .invalidLifetimeDollarsPurchased:
            "Invalid request. The lifetime dollars purchased field is invalid."
        case .invalidLifetimeDollarsRefunded:
            "Invalid request. The lifetime dollars refunded field is invalid."
        case .invalidPlatform: "Invalid request. The platform field is invalid."
        case .invalidPlayTime: "Invalid request. The playtime field is invalid."
        case .invalidSampleContentProvided:
            "Invalid request. The sample content provided field is invalid."
        case .invalidUserStatus: "Invalid request. The user status field is invalid."
        case .invalidTransactionNotConsumable:
            "Invalid request. The transaction id parameter must represent a consumable "
                + "in-app purchase."
        case .invalidRefundPreference: "Invalid request. The refund preference field is invalid."
        case .invalidTransactionTypeNotSupported:
            "Invalid request. The transaction id doesn't represent a supported in-app "
                + "purchase type."
        case .appTransactionIDNotSupported:
            "Invalid request. App transactions aren't supported by this endpoint."
        case .invalidImage: "Invalid request. The image is invalid."
        case .invalidLocale: "Invalid request. Locale is invalid."
        case .invalidAppAccountTokenUUID:
            "Invalid request. The app account token field must be a valid UUID."
        case .familyTransactionNotSupported:
            "Invalid request. Family Sharing transactions aren't supported by this endpoint."
        case .transactionIDIsNotOriginalTransactionID:
            "Invalid request. The transaction ID provided is not an original transaction ID."
        case .consumptionPercentageAutoRenewableSubscription:
            "Invalid request. The consumption percentage field is not supported for "
                + "auto-renewable subscription transactions."
        case .existingPerformanceTestRun: "Invalid request. Existing performance test run."
        case .badRequestRealtimeURL: "Invalid request. The url is invalid."
        case .badRequestImageSize: "Invalid request. The image's size is invalid."
        case .badRequestTooManyBulletPoints:
            "Invalid request. The number of bullet points is too many."
        case .invalidGroupID: "Invalid request. The group ID is invalid."
        case .invalidAssignedTransactionNotSupported:
            "Invalid request. Assigned transactions aren't supported by this endpoint."
        case .subscriptionExtensionIneligible:
            "Forbidden - subscription state ineligible for extension."
        case .subscriptionMaxExtension:
            "Forbidden - subscription has reached maximum extension count."
        case .familySharedSubscriptionExtensionIneligible:
            "Subscriptions that users obtain through Family Sharing can't get a renewal "
                + "date extension directly."
        case .assignedSubscriptionExtensionIneligible:
            "Assigned subscriptions can't get a renewal date extension."
        case .accountNotFound: "Account not found."
        case .accountNotFoundRetryable: "Account not found. Please try again."
        case .appNotFound: "App not found."
        case .appNotFoundRetryable: "App not found. Please try again."
        case .originalTransactionIDNotFound: "Original transaction id not found."
        case .originalTransactionIDNotFoundRetryable:
            "Original transaction id not found. Please try again."
        case .serverNotificationURLNotFound:
            "No App Store Server Notification URL found for provided app. Check that a URL "
                + "is configured in App Store Connect for this environment."
        case .testNotificationNotFound:
            "Either the test notification token is expired or the notification and status "
                + "are not yet available."
        case .statusRequestNotFound:
            "The server didn't find a subscription-renewal-date extension request for this "
                + "requestIdentifier and productId combination."
        case .transactionIDNotFound: "Transaction id not found."
        case .appTransactionDoesNotExist: "No AppTransaction exists for the customer."
        case .groupNotFound: "Group not found."
        case .rateLimitExceeded: "Rate limit exceeded."
        case .generalInternal: "An unknown error occurred."
        case .generalInternalRetryable: "An unknown error occurred. Please try again."
        // Apple documents no text of these, and clients compare the numbers alone.
        case .headerTooLong: "Invalid request. The header is too long."
        case .bodyTooLong: "Invalid request. The body is too long."
        case .altTextTooLong: "Invalid request. The alternative text is too long."
        case .invalidPerformanceTestRequest:
            "Invalid request. The performance test request is invalid."
        case .invalidRequestID: "Invalid request. The request id is invalid."
        case .badRequestBulletPointTextTooLong:
            "Invalid request. A bullet point's text is too long."
        case .badRequestAboveImageRequiresAnImage:
            "Invalid request. A header above an image requires an image."
        case .maximumNumberOfImagesReached: "Forbidden - maximum number of images reached."
        case .maximumNumberOfMessagesReached: "Forbidden - maximum number of messages reached."
        case .messageNotApproved: "Forbidden - message is not approved."
        case .imageNotApproved: "Forbidden - image is not approved."
        case .imageInUse: "Forbidden - image is in use."
        case .forbiddenNoPassingTest: "Forbidden - no performance test has passed."
        case .imageNotFound: "Image not found."
        case .messageNotFound: "Message not found."
        case .performanceTestRunNotFound: "Performance test run not found."
        case .defaultMessageNotFound: "Default message not found."
        case .realtimeURLNotFound: "Realtime url not found."
        case .imageAlreadyExists: "Image already exists."
        case .messageAlreadyExists: "Message already exists."
        }
    }
}
