/// `bodega completion bash|zsh|fish`
enum CompletionCommand {
    static let command = Command(
        help: """
            bodega completion: what the Tab key knows of bodega, for your shell

              bodega completion bash
              bodega completion zsh
              bodega completion fish

            Prints a script that completes commands, what they do and their options.

            Examples:
              source <(bodega completion bash)                          # bash, now
              bodega completion bash > ~/.local/share/bash-completion/completions/bodega
              bodega completion zsh > "${fpath[1]}/_bodega"             # zsh
              bodega completion fish > ~/.config/fish/completions/bodega.fish
            """,
        options: [], flags: []
    ) { arguments in
        let names = Bodega.commands.keys.sorted()
        let entries = names.compactMap { name in
            Bodega.commands[name].map { CompletionScript.Entry(name, $0) }
        }
        switch arguments.positional {
        case ["bash"]: Terminal.print(CompletionScript.bash(entries))
        case ["zsh"]: Terminal.print(CompletionScript.zsh(entries))
        case ["fish"]: Terminal.print(CompletionScript.fish(entries))
        default:
            try arguments.refuseMore(than: 1)
            throw arguments.notOne(of: "bash", "zsh", "fish")
        }
    }
}
