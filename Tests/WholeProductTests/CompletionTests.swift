import Foundation
import TestSupport
import Testing

/// Completion scripts, asked by the shells themselves.
@Suite(.ownThreads) struct CompletionTests {
    private let lab: Lab

    init() throws {
        lab = try Lab()
    }

    private static func has(_ shell: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)")
    }

    private func script(_ shell: String) throws -> String {
        let path = "\(lab.folder)/completion.\(shell)"
        try Data(try lab.bodega(["completion", shell]).utf8).write(
            to: URL(fileURLWithPath: path))
        return path
    }

    private func run(_ shell: String, _ code: String) throws -> Set<String> {
        let program = try Program(
            "/usr/bin/\(shell)", shell == "fish" ? ["-c", code] : ["-f", "-c", code],
            environment: ["HOME": lab.folder], logs: lab.folder + "/logs")
        let ended = try program.wait()
        #expect(ended == 0, "\(program.errors)")
        #expect(program.errors == "")
        return Set(program.output.split(separator: "\n").map(String.init))
    }

    /// What bash offers for a line that ends in the last word.
    private func bash(_ words: [String]) throws -> Set<String> {
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        return try run(
            "bash",
            """
            source '\(try script("bash"))'
            COMP_WORDS=(\(line)) COMP_CWORD=\(words.count - 1)
            _bodega
            printf '%s\\n' "${COMPREPLY[@]}"
            """)
    }

    @Test func `bash completes commands, their subcommands and their options`() throws {
        #expect(
            try bash(["bodega", ""]).isSuperset(
                of: [
                    "serve", "backend", "catalog", "product", "account", "world", "clock",
                    "receipt", "doctor", "completion",
                ]))
        #expect(try bash(["bodega", "wor"]) == ["world"])
        #expect(
            try bash(["bodega", "world", "s"]) == ["seed", "show", "snapshot", "snapshots"])
        #expect(
            try bash(["bodega", "account", ""]).isSuperset(
                of: ["add", "list", "lock", "unlock", "password", "sign-out", "--json"]))
        #expect(try bash(["bodega", "account", "lock", "a", "--r"]) == ["--reason"])
        #expect(try bash(["bodega", "serve", "--po"]) == ["--port"])
        #expect(try bash(["bodega", "serve", "--data", ""]) == [], "a path: bash offers files")
        #expect(try bash(["bodega", "help", "wor"]) == ["world"])
        #expect(try bash(["bodega", "nothing", ""]) == [])
        #expect(try bash(["bodega", "help", "clock", "ad"]) == ["advance"])
        #expect(try bash(["bodega", "backend", "lookup", "s"]) == ["state", "submission"])
        #expect(try bash(["bodega", "account", "approval", "a", "o"]) == ["on", "off"])
        #expect(
            try bash(["bodega", "account", "lock", "a", "--environment", ""])
                == ["sandbox", "production"])
        #expect(try bash(["bodega", "transaction", "revoke", "1", "--reason", "i"]) == ["issue"])
        let equals = ["bodega", "account", "lock", "a", "--environment", "="]
        #expect(try bash(equals) == ["sandbox", "production"])
        #expect(try bash(equals + ["p"]) == ["production"])
    }

    @Test(.enabled(if: has("fish"), "fish is not installed"))
    func `fish completes commands, their subcommands and their options`() throws {
        let path = try script("fish")
        func fish(_ line: String) throws -> Set<String> {
            let offered = try run("fish", "source '\(path)'; complete -C '\(line)'")
            return Set(offered.compactMap { $0.split(separator: "\t").first.map(String.init) })
        }
        #expect(try fish("bodega wor") == ["world"])
        #expect(try fish("bodega world sn") == ["snapshot", "snapshots"])
        #expect(try fish("bodega account lock a --rea").contains("--reason"))
        #expect(try fish("bodega help clock ad") == ["advance"])
        #expect(try fish("bodega backend lookup s") == ["state", "submission"])
        #expect(try fish("bodega account lock a --environment p") == ["production"])
    }

    @Test(.enabled(if: has("zsh"), "zsh is not installed"))
    func `zsh loads the completion script and knows the command`() throws {
        let path = try script("zsh")
        let said = try run(
            "zsh",
            "autoload -U compinit; compinit -u -d '\(lab.folder)/dump'; source '\(path)'; "
                + "print -r -- $_comps[bodega]")
        #expect(said == ["_bodega"])
    }

    @Test(
        .enabled(if: has("zsh"), "zsh is not installed"),
        arguments: [
            ("bodega wor", "bodega world "), ("bodega world se", "bodega world seed "),
            ("bodega account lock a --rea", "bodega account lock a --reason="),
            ("bodega help clock adv", "bodega help clock advance "),
            ("bodega backend lookup sub", "bodega backend lookup submission "),
            ("bodega clock pace --environment=p", "bodega clock pace --environment=production "),
        ])
    func `zsh completes partial input on a terminal`(begun: String, whole: String) throws {
        let path = try script("zsh")
        let line = lab.folder + "/line"
        // A shell inside, on a pseudo-terminal: it says when it is ready, then keys are pressed, and
        // the last of them writes down what stands on its line.
        let said = try run(
            "zsh",
            """
            zmodload zsh/zpty
            zpty shell 'PS1= exec zsh -f -i'
            zpty -w shell 'autoload -U compinit; compinit -u -d \(lab.folder)/dump; \
            source \(path); note() { print -r -- "$BUFFER|" > \(line); exit }; zle -N note; \
            bindkey "^Xn" note; print REA""DY'
            zpty -r shell heard '*READY*'
            zpty -n -w shell '\(begun)'$'\\t\\x18n'
            repeat 100 { [[ -s \(line) ]] && break; sleep 0.1 }
            zpty -d shell
            print -r -- "$(<\(line))"
            """)
        #expect(said == [whole + "|"])
    }
}
