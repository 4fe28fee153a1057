/// A number in memory that commands change along with their rows. Only the writer's thread uses it.
package protocol BesideCommits: AnyObject, Sendable {
    /// Its current value.
    func mark() -> Int64

    /// Restores an earlier value, because the command that changed it was undone.
    func goBack(to mark: Int64)
}
