import Foundation
import TestSupport
import Testing

@testable import StoreSigning

// The files of a key directory, which is the folder `keys` of a test's own.
extension TemporaryFolder {
    func removeKeys(_ names: some Sequence<String>) throws {
        for name in names { try FileManager.default.removeItem(atPath: file("keys/\(name)")) }
    }

    /// Expects the directory to be refused while one of these files is missing, or changed, which is
    /// then named.
    func expectEachKeyNeeded(_ names: [String]) throws {
        let place = file("keys")
        for name in names {
            let saved = try read("keys/\(name)")
            let mode = try mode("keys/\(name)")
            try removeKeys([name])
            #expect(throws: SigningFailure(.incomplete, "")) { try KeyStore(directory: place) }
            var changed = saved
            changed[changed.count / 2] ^= 1
            try write(changed, "keys/\(name)")
            chmod(file("keys/\(name)"), mode_t(mode))
            do {
                _ = try KeyStore(directory: place)
                Issue.record("\(name) was read")
            } catch let failure as SigningFailure {
                #expect(failure.code == .damaged)
                #expect(failure.detail.contains(name))
            }
            try write(saved, "keys/\(name)")
            chmod(file("keys/\(name)"), mode_t(mode))
        }
        #expect(throws: Never.self) { try KeyStore(directory: place) }
    }
}
