import Foundation
import StoreKit

/// RocketCar, a game for the terminal that sells a turbo, fuel and more.
@main enum RocketCar {
    static func main() {
        let garage: Garage
        let command: Command
        do {
            command = try Command(
                arguments: Array(CommandLine.arguments.dropFirst()),
                isTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1)
            if command.verb == .help { return print(Command.help) }
            garage = try Garage(environment: ProcessInfo.processInfo.environment)
        } catch {
            Say.trouble("\(error)")
            exit(2)
        }
        if command.verb == .play { exit(play(garage)) }
        if case .track(let tag) = command.verb { exit(Track.show(tag, garage: garage)) }
        let session = Session(command: command, garage: garage)
        exit(session.run())
    }

    private static func play(_ garage: Garage) -> Int32 {
        guard let terminal = GameTerminal() else {
            Say.trouble("play needs a terminal; in a script, try --help")
            return 2
        }
        return Game(garage: garage, terminal: terminal).run()
    }
}
