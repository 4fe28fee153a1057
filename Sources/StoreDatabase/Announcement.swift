/// What a command tells whoever waits for it, once its commit is complete.
package struct Announcement: Hashable, Sendable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }
}
