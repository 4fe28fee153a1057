/// Who waits for a password to be hashed, the first to be served first. Each has places of its own:
/// any stranger can make up names, as many as there are connections.
enum PasswordLane: Int, CaseIterable {
    /// A sign-in with a token that the user's device was once given, even if it has ended.
    case knownDevice
    case knownName
    case signUp
    case unknownName

    var waitingMax: Int {
        switch self {
        case .knownDevice, .knownName: BackendLimits.passwordsWaitingMax
        case .signUp: BackendLimits.passwordsWaitingMax / 2
        case .unknownName: BackendLimits.passwordsWaitingMax / 4
        }
    }
}
