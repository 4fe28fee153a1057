package import StoreModel

package enum BackendUserEntity {}
package enum SubmissionEntity {}

/// A user of the app developer's own backend; no relation to the store's accounts.
package typealias BackendUserID = Identifier<BackendUserEntity, String>
/// One receipt handed in for one purchase.
package typealias SubmissionID = Identifier<SubmissionEntity, String>
