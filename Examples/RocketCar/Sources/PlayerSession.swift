import Foundation

/// The player's session at the backend. Its token is kept, and used until the backend refuses it.
final class PlayerSession {
    private let garage: Garage
    private let backend: Backend
    private let report: (News) -> Void
    private var player: Backend.Player?
    private var refusedToken: String?
    /// Requests that wait for the player to be signed in; several may come at one launch, and
    /// several simultaneous sign-ins look like guessing.
    private var waiting: [Backend.Then<Backend.Player>] = []

    init(garage: Garage, backend: Backend, report: @escaping (News) -> Void) {
        self.garage = garage
        self.backend = backend
        self.report = report
    }

    /// Asks the backend as the player. Once, the player is signed in anew when it refuses the token.
    func ask<Value>(
        isLast: Bool = false,
        _ request: @escaping (Backend.Player, @escaping Backend.Then<Value>) -> Void,
        _ then: @escaping Backend.Then<Value>
    ) {
        signedIn { [self] result in
            switch result {
            case .failure(let trouble): then(.failure(trouble))
            case .success(let asked):
                request(asked) { [self] result in
                    guard case .failure(let trouble) = result, trouble.isSignedOut, !isLast else {
                        return then(result)
                    }
                    if player?.token == asked.token { player = nil }
                    refusedToken = asked.token
                    ask(isLast: true, request, then)
                }
            }
        }
    }

    private func signedIn(_ then: @escaping Backend.Then<Backend.Player>) {
        if let player { return then(.success(player)) }
        guard let who = garage.player else { return }
        waiting.append(then)
        guard waiting.count == 1 else { return }
        let kept = SavedSession.player(of: garage)
        if let kept, kept.token != refusedToken { return begin(.success(kept)) }
        // By a token that it gave before, the backend tells this device from strangers who guess
        // the password.
        backend.signIn(who.name, who.password, knownBy: kept?.token) { [self] result in
            if case .success(let player) = result { keep(player) }
            begin(result)
        }
    }

    private func begin(_ result: Result<Backend.Player, Backend.Trouble>) {
        if case .success(let signedIn) = result { player = signedIn }
        let served = waiting
        waiting = []
        for then in served { then(result) }
    }

    private func keep(_ player: Backend.Player) {
        do {
            try SavedSession.save(player, of: garage)
        } catch {
            report(.trouble("the session at the backend cannot be kept: \(error)"))
        }
    }
}
