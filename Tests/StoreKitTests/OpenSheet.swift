import Foundation
import Synchronization

@testable import StoreKit

/// A sheet that stays open until it is let go.
final class OpenSheet: PaymentSheet {
    let inner: AutomaticSheet
    let isOpen = Mutex(false)
    let mayClose = DispatchSemaphore(value: 0)

    init(_ inner: AutomaticSheet) {
        self.inner = inner
    }

    var showsDetails: Bool { false }

    func signIn(
        _ prompt: SheetPrompt, trouble: String?
    ) -> SheetAnswer<StoreConfiguration.Account> { inner.signIn(prompt, trouble: trouble) }

    func approve(_ prompt: SheetPrompt) -> SheetAnswer<Bool> {
        isOpen.withLock { $0 = true }
        mayClose.wait()
        return .given(true)
    }

    func show(_ sentence: String) {}
}
