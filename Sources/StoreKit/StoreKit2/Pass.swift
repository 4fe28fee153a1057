/// One pass of a client over what the store sends: a list, which ends, or news, which do not.
///
/// In a cancelled task it ends.
struct Pass<Element: Sendable>: Sendable {
    private enum Source: Sendable {
        case list(@Sendable () async -> [Element])
        case rest(ArraySlice<Element>)
        case news(AsyncStream<Element>)
        case moving(AsyncStream<ProcessAudience.News<Element>>)
    }

    private var source: Source

    /// A list that is read at the first element.
    init(list: @escaping @Sendable () async -> [Element]) {
        source = .list(list)
    }

    /// News that arrive from now on.
    init(news: AsyncStream<Element>) {
        source = .news(news)
    }

    /// News of the context that is the process's when they are taken.
    init(moving: AsyncStream<ProcessAudience.News<Element>>) {
        source = .moving(moving)
    }

    mutating func next() async -> Element? {
        if Task.isCancelled { return nil }
        switch source {
        // Iterators of a stream share its elements, and unlike the stream none is Sendable.
        case .news(let stream): return await stream.first { _ in true }
        case .moving(let stream): return await stream.first { $0.isPresent() }?.element
        case .list(let read): return pop(await read()[...])
        case .rest(let rest): return pop(rest)
        }
    }

    private mutating func pop(_ rest: ArraySlice<Element>) -> Element? {
        source = .rest(rest.dropFirst())
        return rest.first
    }
}
