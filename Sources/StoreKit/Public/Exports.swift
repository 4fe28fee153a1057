// Apple's StoreKit brings Foundation with it, and apps rely on that.
@_exported public import CStoreKit
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import FoundationNetworking
