/// A number in memory that commands move along with their rows. It is touched on the writer's thread
/// alone.
package protocol BesideCommits: AnyObject, Sendable {
    /// Where it is.
    func mark() -> Int64

    /// Goes back to where it was: what moved it was undone.
    func goBack(to mark: Int64)
}
