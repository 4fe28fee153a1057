/// Completion scripts, made from the table of commands.
enum CompletionScript {
    /// What a shell is told of one command.
    struct Entry: Sendable {
        let name: String
        let summary: String
        /// What the command can be told to do, in the order of its help.
        let verbs: [String]
        let options: [String]
        let flags: [String]

        init(_ name: String, _ command: Command) {
            self.name = name
            summary = command.summary
            verbs = command.verbs(of: name)
            options = command.options.sorted()
            flags = (command.flags.union(["help"])).sorted()
        }

        /// All words that may follow the command, but for options' values.
        var words: String {
            (verbs + (options + flags).map { "--\($0)" }).joined(separator: " ")
        }
    }

    /// Values of options are paths or words of one's own, so files are offered for them.
    static func bash(_ entries: [Entry]) -> String {
        """
        # bash completion for bodega; source it, or put it where bash-completion looks.
        _bodega() {
            local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
            COMPREPLY=()
            if ((COMP_CWORD == 1)); then
                words="\((entries.map(\.name) + ["help", "--help", "--version"]).joined(separator: " "))"
            else
                case ${COMP_WORDS[1]} in
        \(entries.map(bashCase).joined(separator: "\n"))
                    help) words="\(entries.map(\.name).joined(separator: " "))" ;;
                esac
                case $before in
                    \(valueOptions(entries).map { "--\($0)" }.joined(separator: " | "))) words= ;;
                esac
            fi
            if [[ -n $words ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
            fi
        }
        complete -o default -F _bodega bodega
        """
    }

    private static func bashCase(_ entry: Entry) -> String {
        let all = (entry.options + entry.flags).map { "--\($0)" }.joined(separator: " ")
        guard !entry.verbs.isEmpty else {
            return "            \(entry.name)) words=\"\(all)\" ;;"
        }
        return """
                        \(entry.name))
                            words="\(all)"
                            if ((COMP_CWORD == 2)); then words="\(entry.words)"; fi ;;
            """
    }

    private static func valueOptions(_ entries: [Entry]) -> [String] {
        Set(entries.flatMap(\.options)).sorted()
    }

    static func zsh(_ entries: [Entry]) -> String {
        """
        #compdef bodega
        # zsh completion for bodega; put it as _bodega into a folder of $fpath.
        _bodega() {
            local -a commands
            commands=(
        \(entries.map { "        '\($0.name):\(quoted($0.summary))'" }.joined(separator: "\n"))
            )
            if ((CURRENT == 2)); then
                _describe command commands
                return
            fi
            case $words[2] in
        \(entries.map(zshCase).joined(separator: "\n"))
                help) _describe command commands ;;
            esac
        }
        if [[ $funcstack[1] == _bodega ]]; then _bodega "$@"; else compdef _bodega bodega; fi
        """
    }

    private static func zshCase(_ entry: Entry) -> String {
        let options =
            entry.options.map { "'--\($0)=:\($0):_files'" } + entry.flags.map { "'--\($0)'" }
        let verbs = entry.verbs.isEmpty ? [] : ["'2:what:(\(entry.verbs.joined(separator: " ")))'"]
        let all = options + ["'1:command: '"] + verbs + ["'*:file:_files'"]
        return "        \(entry.name)) _arguments \(all.joined(separator: " ")) ;;"
    }

    static func fish(_ entries: [Entry]) -> String {
        var lines = [
            "# fish completion for bodega; put it into ~/.config/fish/completions/bodega.fish."
        ]
        for entry in entries {
            lines.append(
                "complete -c bodega -n __fish_use_subcommand -f -a \(entry.name) "
                    + "-d '\(quoted(entry.summary))'")
            let isIn = "__fish_seen_subcommand_from \(entry.name)"
            if !entry.verbs.isEmpty {
                let verbs = entry.verbs.joined(separator: " ")
                lines.append(
                    "complete -c bodega -n '\(isIn); and not __fish_seen_subcommand_from "
                        + "\(verbs)' -f -a '\(verbs)'")
            }
            for option in entry.options {
                lines.append("complete -c bodega -n '\(isIn)' -l \(option) -r")
            }
            for flag in entry.flags { lines.append("complete -c bodega -n '\(isIn)' -l \(flag)") }
        }
        let names = entries.map(\.name).joined(separator: " ")
        lines.append("complete -c bodega -n '__fish_seen_subcommand_from help' -f -a '\(names)'")
        return lines.joined(separator: "\n")
    }

    /// For single quotes in every one of the shells; no summary needs one itself.
    private static func quoted(_ text: String) -> String {
        text.replacing("'", with: "").replacing(":", with: ",")
    }
}

extension Command {
    /// The first line of the help, without the command's name.
    var summary: String {
        let line = help.split(separator: "\n").first ?? ""
        return String(line.split(separator: ": ", maxSplits: 1).last ?? line)
    }

    /// The words that stand after the command in its help: what it can be told to do.
    func verbs(of name: String) -> [String] {
        var verbs: [String] = []
        for line in help.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 3, words[0] == "bodega", words[1] == name,
                words[2].allSatisfy({ $0.isLowercase || $0 == "-" }), !words[2].hasPrefix("-"),
                !verbs.contains(String(words[2]))
            else { continue }
            verbs.append(String(words[2]))
        }
        return verbs
    }
}
