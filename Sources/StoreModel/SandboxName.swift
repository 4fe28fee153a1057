/// What signed data call the sandbox of a world.
package enum SandboxName: String, Codable, CaseIterable, Sendable {
    /// As Apple's sandbox does.
    case sandbox = "Sandbox"
    /// As Xcode does in tests with a configuration file.
    case xcode = "Xcode"
}
