import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules

/// A name and a password as they were typed on a device.
struct SignInGuess: Sendable {
    let name: String
    let password: String
    let session: DeviceSession
    let peer: Peer
}

/// The facts known about a guess before its password is checked.
struct SignInFacts: Sendable {
    /// The account of that name, in this environment or else in the other; nil for an unknown name.
    let secret: AccountSecret?
    let nameDigest: [UInt8]
    let nameRecord: SignInRecord
    let deviceRecord: SignInRecord
    /// Whether the account has signed in on the device with its password before.
    let isKnown: Bool

    init(
        of guess: SignInGuess, in environment: StoreEnvironment, realNow: Timestamp,
        _ scope: borrowing ReadScope
    ) throws {
        secret =
            try scope.accountSecret(guess.name, in: environment)
            ?? scope.accountSecret(guess.name, in: environment.other)
        nameDigest = AppStoreServer.nameDigest(guess.name, in: environment)
        nameRecord = try secret?.record ?? scope.unknownNameRecord(digest: nameDigest)
        deviceRecord = try scope.signInRecord(onDevice: guess.session.device, realNow: realNow)
        isKnown =
            try secret.map {
                // Anyone can find out the UUID of the device on which the owner buys.
                try guess.session.guid
                    != OwnerDevice.guid(of: $0.account.id, in: guess.session.app)
                    && scope.hasSignedIn($0.account.id, on: guess.session.device)
            } ?? false
    }

    /// Whose turn it is that the guess takes.
    func caller(_ guess: SignInGuess, in scene: Scene) -> PasswordWorkers.Caller {
        isKnown
            ? .known(account: "\(scene.world.id)/\(guess.name)")
            : .stranger(world: scene.world.id, guess.session.device)
    }
}

extension StoreEnvironment {
    fileprivate var other: Self {
        switch self {
        case .production: .sandbox
        case .sandbox: .production
        }
    }
}
