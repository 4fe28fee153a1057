import Foundation
import Testing

extension Lab {
    /// Plays the game on a terminal by the steps that `Tests/Terminal/play.py` knows; the screens
    /// that they print.
    @discardableResult
    func play(
        _ steps: [String], device: String = "phone", size: String = "80x24",
        environment: [String: String] = [:]
    ) throws -> String {
        let program = try startPlay(steps, device: device, size: size, environment: environment)
        let code = try program.wait(secondsMax: Program.secondsMax)
        #expect(code == 0, "\(program.output)\(program.errors)")
        return program.output
    }

    /// The same, without waiting for the end.
    func startPlay(
        _ steps: [String], device: String = "phone", size: String = "80x24",
        environment: [String: String] = [:]
    ) throws -> Program {
        let python = try #require(ProcessInfo.processInfo.environment["BODEGA_PYTHON"])
        let file = "\(folder)/steps-\(UUID().uuidString)"
        try steps.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        var variables = appEnvironment(device: device)
        variables["STOREKIT_SHEET"] = "terminal"
        variables["STOREKIT_ACCOUNT"] = nil
        variables["TERM"] = "xterm-256color"
        variables["LC_ALL"] = "en_US.UTF-8"
        variables["NO_COLOR"] = ""
        return try Program(
            python,
            [
                Self.package + "/Tests/Terminal/play.py", "--size", size, file,
                Program.folder + "/RocketCar",
            ], environment: variables.merging(environment) { $1 }, logs: folder + "/logs")
    }

    /// What a person does on the sheet that asks who they are.
    static let signIn = [
        "wait Account:", "type buyer@example.com", "key enter", "wait Password:", "silent",
        "type rocket-fuel-1", "key enter",
    ]
}
