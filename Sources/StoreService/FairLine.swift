/// Work that waits for one of a few workers, shared fairly among those that sent it.
///
/// Every rank has places of its own, so that a crowd of one rank takes none of another's. Lower
/// ranks are served first, but every fourth turn goes round the others, so that none starves;
/// within a rank, callers take turns, however much each sent. When all places of a rank are taken,
/// a newcomer gets one from the caller that has the most.
package struct FairLine<Caller: Hashable & Sendable, Work: Sendable>: Sendable {
    /// The outcome of a request for a place.
    package enum Admission {
        case taken
        /// Taken; this work of another caller, its newest, lost its place.
        case displaced(Work)
        case full
    }

    fileprivate struct Rank {
        let placesMax: Int
        var count = 0
        /// The callers with work, the next one first.
        var turns: [Caller] = []
        var works: [Caller: [Work]] = [:]
    }

    private var ranks: [Rank]
    /// The works taken so far; every fourth turn is of another rank than the first.
    private var taken = 0

    /// `placesMax` of each rank, in the order in which they are served.
    package init(placesMax: [Int]) {
        precondition(placesMax.allSatisfy { $0 > 0 }, "a rank has places")
        ranks = placesMax.map { Rank(placesMax: $0) }
    }

    /// The number of works that wait.
    package var count: Int { ranks.reduce(0) { $0 + $1.count } }

    package mutating func add(_ work: Work, of caller: Caller, rank: Int) -> Admission {
        ranks[rank].add(work, of: caller)
    }

    /// Takes a caller's works that are `wanted`, whoever's turn it is; the others keep their order.
    package mutating func take(
        of caller: Caller, rank: Int, where wanted: (Work) -> Bool
    ) -> [Work] {
        ranks[rank].take(of: caller, where: wanted)
    }

    /// Takes the next work that `isFree` to begin; nil when there is none.
    package mutating func next(where isFree: (Work) -> Bool) -> Work? {
        let others = ranks.count - 1
        let favoured = taken % 4 == 3 && others > 0 ? [1 + taken / 4 % others] : []
        for rank in favoured + Array(ranks.indices) {
            if let work = ranks[rank].next(where: isFree) {
                taken &+= 1
                return work
            }
        }
        return nil
    }
}

extension FairLine.Rank {
    fileprivate mutating func add(
        _ work: Work, of caller: Caller
    ) -> FairLine<Caller, Work>.Admission {
        var displaced: Work?
        if count >= placesMax {
            guard let lost = displace(for: caller) else { return .full }
            displaced = lost
        }
        if works[caller] == nil { turns.append(caller) }
        works[caller, default: []].append(work)
        count += 1
        return displaced.map { .displaced($0) } ?? .taken
    }

    /// Takes a place from the caller with the most, if it still has as many as the newcomer then; of
    /// several, from the one whose turn is last.
    private mutating func displace(for newcomer: Caller) -> Work? {
        func places(of caller: Caller) -> Int { works[caller]?.count ?? 0 }
        guard let caller = turns.reversed().max(by: { places(of: $0) < places(of: $1) }),
            places(of: caller) - 1 >= places(of: newcomer) + 1
        else { return nil }
        count -= 1
        return works[caller]?.removeLast()
    }

    fileprivate mutating func take(of caller: Caller, where wanted: (Work) -> Bool) -> [Work] {
        let all = works[caller] ?? []
        let rest = all.filter { !wanted($0) }
        count -= all.count - rest.count
        works[caller] = rest.isEmpty ? nil : rest
        if rest.isEmpty { turns.removeAll { $0 == caller } }
        return all.filter(wanted)
    }

    /// A caller's works stay in order: the next one is its first, or none while that is not free.
    fileprivate mutating func next(where isFree: (Work) -> Bool) -> Work? {
        let index = turns.firstIndex { works[$0]?.first.map(isFree) == true }
        guard let index else { return nil }
        let caller = turns.remove(at: index)
        let work = works[caller]?.removeFirst()
        count -= 1
        if works[caller]?.isEmpty == true {
            works[caller] = nil
        } else {
            turns.append(caller)
        }
        return work
    }
}
