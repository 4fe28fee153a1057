/// `bodega man`
enum ManCommand {
    static let command = Command(
        "man", "print the manual page of bodega, for man",
        [Option("markdown", "print docs/command-line.md instead")],
        examples: [
            "bodega man | man -l -", "bodega man > ~/.local/share/man/man1/bodega.1",
            "bodega man --markdown > docs/command-line.md",
        ]
    ) { Terminal.print($0.has("markdown") ? Manual.markdown : Manual.roff) }
}
