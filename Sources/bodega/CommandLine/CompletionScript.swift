/// Completion scripts, made from the tree of commands.
///
/// Each finds the command before the cursor and offers what may follow it: subcommands, words and
/// values to choose from, options, and files where a value is free.
enum CompletionScript {
    private static let commands = CommandTree.root.all(as: CommandTree.root.name)
    private static let paths = commands.map { "'\($0.path)'" }

    static var bash: String {
        """
        # bash completion for bodega; source it, or put it where bash-completion looks.
        _bodega() {
            local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
            local path=bodega words= i
            # bash takes the "=" of --option=value for a word of its own.
            [[ $current != = ]] || current=
            [[ $before != = ]] || before=${COMP_WORDS[COMP_CWORD - 2]}
            COMPREPLY=()
            for ((i = 1; i < COMP_CWORD; i++)); do
                case "$path ${COMP_WORDS[i]}" in
                    'bodega help') ;;
                    \(paths.joined(separator: " | "))) path+=" ${COMP_WORDS[i]}" ;;
                    *) [[ $path != bodega ]] || path= ;;
                esac
            done
            case $path in
        \(commands.map { "        '\($0.path)') words=\"\(words(after: $0.command))\" ;;" }.joined(separator: "\n"))
            esac
            case "$path $before" in
        \(commands.flatMap(bashValues).joined(separator: "\n"))
            esac
            if [[ -n $words ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
            fi
        }
        complete -o default -F _bodega bodega
        """
    }

    private static func words(after command: Command) -> String {
        (command.commands.map(\.name) + command.words.flatMap(\.choices)
            + command.offeredOptions.map { "--\($0.name)" } + ["--help"]
            + (command.name == CommandTree.root.name ? ["--version", "help"] : []))
            .joined(separator: " ")
    }

    private static func bashValues(_ path: String, _ command: Command) -> [String] {
        command.offeredOptions.filter { $0.value != nil }.map {
            "        '\(path) --\($0.name)') words=\"\($0.choices.joined(separator: " "))\" ;;"
        }
    }

    static var zsh: String {
        """
        #compdef bodega
        # zsh completion for bodega; put it as _bodega into a folder of $fpath.
        _bodega() {
            local path_=bodega at=2
            local -a commands options paths=(\(paths.joined(separator: " ")))
            [[ $words[2] == help && CURRENT -gt 2 ]] && at=3
            while ((at < CURRENT)) && ((${paths[(Ie)$path_ $words[at]]})); do
                path_+=" $words[at]"
                ((at++))
            done
            case $path_ in
        \(commands.map { "        '\($0.path)') \(zshWords(after: $0.command)) ;;" }.joined(separator: "\n"))
            esac
            if ((CURRENT == at && $#commands)) && [[ $words[CURRENT] != -* ]]; then
                _describe command commands
            else
                _arguments $options '--help[explain it]' '*:file:_files'
            fi
        }
        if [[ $funcstack[1] == _bodega ]]; then _bodega "$@"; else compdef _bodega bodega; fi
        """
    }

    private static func zshWords(after command: Command) -> String {
        let below =
            command.commands.map { "'\($0.name):\(quoted($0.summary))'" }
            + command.words.flatMap(\.choices).map { "'\($0)'" }
        let options = command.offeredOptions.map { option in
            let meaning = quoted(option.meaning).replacing("[", with: "(").replacing("]", with: ")")
            let values =
                option.choices.isEmpty ? "_files" : "(\(option.choices.joined(separator: " ")))"
            return option.value == nil
                ? "'--\(option.name)[\(meaning)]'"
                : "'--\(option.name)=[\(meaning)]:\(option.name):\(values)'"
        }
        return "commands=(\(below.joined(separator: " "))) "
            + "options=(\(options.joined(separator: " ")))"
    }

    static var fish: String {
        """
        # fish completion for bodega; put it into ~/.config/fish/completions/bodega.fish.
        function __bodega_at
            set -l at bodega
            for word in (commandline -opc)[2..-1]
                if contains -- "$at $word" \(paths.joined(separator: " "))
                    set at "$at $word"
                end
            end
            test "$at" = "$argv"
        end
        \(commands.flatMap(fishLines).joined(separator: "\n"))
        """
    }

    private static func fishLines(_ path: String, _ command: Command) -> [String] {
        let start = "complete -c bodega -n '__bodega_at \(path)'"
        let below =
            command.commands.map { "\(start) -f -a \($0.name) -d '\(quoted($0.summary))'" }
            + command.words.flatMap(\.choices).map { "\(start) -f -a \($0)" }
        let options = command.offeredOptions.map { option in
            let values =
                option.choices.isEmpty ? " -r" : " -xa '\(option.choices.joined(separator: " "))'"
            return "\(start) -l \(option.name)\(option.value == nil ? "" : values)"
                + " -d '\(quoted(option.meaning))'"
        }
        return below + options + ["\(start) -l help -d 'explain it'"]
    }

    /// Quotes a text for single quotes in all three shells.
    private static func quoted(_ text: String) -> String {
        text.replacing("'", with: "’").replacing(":", with: ",")
    }
}
