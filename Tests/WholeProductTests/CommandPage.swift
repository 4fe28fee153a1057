import Foundation

/// `docs/command-line.md`, from which tests know every command.
enum CommandPage {
    struct Group: Sendable, CustomStringConvertible {
        let name: String
        fileprivate(set) var commands: [Command] = []

        var description: String { name }
    }

    struct Command: Sendable {
        /// What calls it, such as `clock advance`.
        let words: [String]
        /// The whole form, such as `bodega clock hold [TIME]`.
        let synopsis: String
    }

    static let path = Lab.package + "/docs/command-line.md"

    static func groups() throws -> [Group] {
        var groups: [Group] = []
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            if let found = line.wholeMatch(of: /## bodega (.+)/) {
                groups.append(Group(name: String(found.1)))
            } else if let found = line.firstMatch(of: /^\| `bodega (.+?)` \|/), !groups.isEmpty {
                let form = found.1.replacing("\\|", with: "|")
                let words = form.split(separator: " ").prefix {
                    $0.wholeMatch(of: /[a-z0-9-]+/) != nil && !$0.hasPrefix("-")
                }
                groups[groups.count - 1].commands.append(
                    Command(words: words.map(String.init), synopsis: "bodega \(form)"))
            }
        }
        return groups
    }
}
