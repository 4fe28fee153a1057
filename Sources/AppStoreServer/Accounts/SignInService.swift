import StoreLog
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreSigning
import StoreWire

/// Signing in and out on a device.
enum SignInService {
    /// `POST /device/v1/sign-in`
    static func signIn(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let session = try scene.session(request)
            guard session.environment == .sandbox else {
                throw Refusal(403, "productionClosed", RefusalCode.productionClosed.message)
            }
            let body = try request.decoded(SignInBody.self)
            let name = try checked(
                body.account, "account", bytesMax: Limits.accountNameBytesMax)
            guard (1...Limits.passwordBytesMax).contains(body.password.utf8.count) else {
                throw Refusal(
                    422, "badField", "password must have 1 to \(Limits.passwordBytesMax) bytes.")
            }
            try scene.parts.passwords.run(for: "\(scene.world.id)/\(name)") {
                scene.attempt(responder) {
                    try check(name, body.password, for: session, in: scene, responder)
                }
            }
        }
    }

    /// Looks at the password and answers; on a worker's thread.
    private static func check(
        _ name: String, _ password: String, for session: DeviceSession, in scene: Scene,
        _ responder: Responder
    ) throws {
        let environment = try scene.placed()
        let database = scene.world.database
        let now = scene.world.time.real()
        let secret = try database.read { try $0.accountSecret(name, in: environment) }
        if let secret, let seconds = SignInRules.secondsLocked(secret.record, now: now) {
            throw Refusal(
                423, "accountLocked",
                "Too many wrong passwords; try again in \(seconds) seconds.",
                retryAfterSeconds: seconds)
        }
        let matches = PasswordHash.matches(
            password, secret?.passwordHash ?? PasswordWorkers.hashOfNobody)
        guard let secret, matches else {
            if let secret {
                let failed = SignInRules.afterFailure(secret.record, now: now)
                try database.write { try $0.saveSignInRecord(failed, of: secret.account.id) }
            }
            scene.log.event(
                StoreEvent.signInRefused, ("account", .number(secret?.account.id.rawValue ?? 0)))
            throw Refusal(
                401, "passwordWrong", "There is no such account, or its password is another.")
        }
        admit(secret.account, on: session, in: scene, responder)
    }

    private static func admit(
        _ account: Account, on session: DeviceSession, in scene: Scene, _ responder: Responder
    ) {
        let token = DeviceService.makeToken()
        let now = scene.world.time.real()
        let expires = now.adding(milliseconds: Limits.tokenMilliseconds)
        scene.commit(responder) { scope in
            try scope.saveSignInRecord(.clean, of: account.id)
            try scope.retireToken(
                digest: session.tokenDigest,
                by: now.adding(milliseconds: Limits.replacedTokenMilliseconds))
            try scope.addToken(
                digest: token.digest, device: session.device, account: account.id,
                expires: expires)
        } then: { _ in
            scene.log.event(StoreEvent.signedIn, ("account", .number(account.id.rawValue)))
            return try DeviceService.answer(
                token: token.text, account: account, storefront: session.appStorefront, in: scene)
        }
    }

    /// `POST /device/v1/sign-out`
    static func signOut(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let session = try scene.session(request)
            let token = DeviceService.makeToken()
            let expires = scene.world.time.real().adding(milliseconds: Limits.tokenMilliseconds)
            scene.commit(responder) { scope in
                try scope.deleteToken(digest: session.tokenDigest)
                try scope.addToken(
                    digest: token.digest, device: session.device, account: nil, expires: expires)
            } then: { _ in
                scene.log.event(StoreEvent.signedOut)
                return try DeviceService.answer(
                    token: token.text, account: nil, storefront: session.appStorefront, in: scene)
            }
        }
    }
}
