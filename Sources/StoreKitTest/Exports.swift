// Apple's module brings StoreKit's names, too.
@_exported public import StoreKit
