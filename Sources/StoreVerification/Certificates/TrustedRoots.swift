package import StoreModel
import Synchronization

/// A root certificate and its environment.
package struct TrustedRoot: Hashable, Sendable {
    package let environment: StoreEnvironment
    package let isTest: Bool
    package let der: [UInt8]

    package init(_ environment: StoreEnvironment, isTest: Bool, der: [UInt8]) {
        self.environment = environment
        self.isTest = isTest
        self.der = der
    }
}

/// The roots that chains may lead to; roots can be added, never removed.
package final class TrustedRoots: Sendable {
    private let roots: Mutex<[TrustedRoot]>

    package init(_ roots: [TrustedRoot]) {
        self.roots = Mutex(roots)
    }

    package func add(_ root: TrustedRoot) {
        roots.withLock { if !$0.contains(root) { $0.append(root) } }
    }

    package func root(_ der: ArraySlice<UInt8>) -> TrustedRoot? {
        roots.withLock { $0.first { $0.der.elementsEqual(der) } }
    }
}
