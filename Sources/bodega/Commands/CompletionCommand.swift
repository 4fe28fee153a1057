/// `bodega completion`
enum CompletionCommand {
    static let command = Command(
        group: "completion", "completion scripts for your shell",
        examples: [
            "source <(bodega completion bash)",
            "bodega completion bash > ~/.local/share/bash-completion/completions/bodega",
            "bodega completion zsh > \"${fpath[1]}/_bodega\"",
            "bodega completion fish > ~/.config/fish/completions/bodega.fish",
        ],
        commands: [
            Command("bash", "a script to source, or for bash-completion's folder") { _ in
                Terminal.print(CompletionScript.bash)
            },
            Command("zsh", "the file _bodega for a folder of $fpath") { _ in
                Terminal.print(CompletionScript.zsh)
            },
            Command("fish", "bodega.fish for fish's folder of completions") { _ in
                Terminal.print(CompletionScript.fish)
            },
        ])
}
