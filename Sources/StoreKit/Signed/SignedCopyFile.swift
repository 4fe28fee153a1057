import Foundation
import Glibc
import StoreModel
import StoreVerification
import StoreWire

/// A customer's copy on disk: lines that are only ever added, each with a digest of its own.
///
/// A crash while lines are being added leaves a last one that is cut: it is passed over, since
/// nothing was reported of it. Any other damage, or a format of a later version, sets the file aside,
/// and everything comes from the store anew.
struct SignedCopyFile: Sendable {
    private static let format = 1
    private static let digestLetters = 16
    private static let lineEnd = UInt8(ascii: "\n")

    /// One line, about one thing.
    struct Line: Codable, Sendable {
        /// The first line of every file.
        struct Head: Codable, Hashable, Sendable {
            let format: Int
            let customer: Customer
            let scope: StoreScope
            /// The device for which everything is signed.
            let deviceGuid: String
        }

        var head: Head?
        /// The header of the JWS in the lines that follow.
        var header: String?
        var transaction: SignedTransactionBody?
        /// Transactions that the store no longer has.
        var deleted: [UInt64]?
        var groups: [SignedGroupBody]?
        var finished: UInt64?
        var appTransaction: String?
        var cursor: Int64?
    }

    /// A copy as it was read.
    struct Contents: Sendable {
        var copy = SignedCopy()
        /// The header of the last JWS.
        var header: String?
        /// How many lines the file has, and how many bytes.
        var lines = 0
        var bytes = 0

        /// About the bytes of a file that has nothing twice.
        var bytesNeeded: Int {
            lines == 0 ? 0 : bytes * min(copy.entries.count + 4, lines) / lines
        }
    }

    let path: String
    let home: HomeFolder
    let customer: Customer
    let scope: StoreScope
    let deviceGuid: String

    init(home: HomeFolder, customer: Customer, scope: StoreScope, deviceGuid: String) {
        self.home = home
        self.customer = customer
        self.scope = scope
        self.deviceGuid = deviceGuid
        // A file for each customer and address; names may be long and hold anything.
        let name = sha256(Array("\(scope.text)\n\(customer.worldId)\n\(customer.account)".utf8))
        path = "\(home.signedFolder)/\(hexadecimal(name).prefix(32)).copy"
    }

    private var head: Line {
        Line(
            head: Line.Head(
                format: Self.format, customer: customer, scope: scope, deviceGuid: deviceGuid))
    }

    /// The copy on disk; an empty one when there is none, or when it had to be set aside.
    ///
    /// Throws when it cannot be read: it may exist all the same.
    func read() throws -> Contents {
        guard let bytes = try DurableFile.read(path), !bytes.isEmpty else { return Contents() }
        do {
            return try contents(of: bytes)
        } catch let damage as Damage {
            try home.setAside(path, because: damage.sentence)
            return Contents()
        }
    }

    /// Adds lines, all of them or none; synced unless they promise nothing. Gives the bytes added, and
    /// whether there was no file.
    func add(_ lines: [Line], isSynced: Bool = true) throws -> (bytes: Int, isNew: Bool) {
        try home.locked(by: "signed-lock") {
            let file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw DurableFile.Failure("open", path) }
            defer { close(file) }
            let end = try cutOffUnfinished(file)
            let isNew = end == 0
            let bytes = try Self.bytes(of: (isNew ? [head] : []) + lines)
            do throws(DurableFile.Failure) {
                try DurableFile.writeAll(bytes, to: file, named: path)
                if isSynced { try DurableFile.sync(file, named: path, isLonger: true) }
            } catch {
                // A part of a line would be taken for damage once another one follows it.
                ftruncate(file, end)
                throw error
            }
            if isNew { try DurableFile.syncFolder(of: path) }
            return (bytes.count, isNew)
        }
    }

    /// Removes a last line that a crash cut, and gives where the file ends now.
    private func cutOffUnfinished(_ file: Int32) throws -> Int {
        let end = lseek(file, 0, SEEK_END)
        var last: UInt8 = 0
        if end <= 0 || pread(file, &last, 1, end - 1) == 1 && last == Self.lineEnd {
            return max(end, 0)
        }
        let bytes = try DurableFile.read(path) ?? []
        let start = bytes.lastIndex(of: Self.lineEnd).map { $0 + 1 } ?? 0
        guard ftruncate(file, start) == 0 else { throw DurableFile.Failure("cut", path) }
        return start
    }

    /// Writes a copy anew in the place of the present file, with what another process added to that.
    /// Gives its size.
    func replace(with contents: Contents) throws -> (bytes: Int, lines: Int) {
        try home.locked(by: "signed-lock") {
            var whole = contents
            for (id, entry) in try read().copy.entries
            where contents.copy.entries[id] == nil && !contents.copy.removed.contains(id) {
                _ = whole.copy.take(entry)
            }
            let lines = [head] + whole.asLines
            let bytes = try Self.bytes(of: lines)
            try DurableFile.write(bytes, to: path)
            return (bytes.count, lines.count)
        }
    }

    // MARK: -

    private struct Damage: Error {
        let sentence: String
    }

    private static func bytes(of lines: [Line]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        var bytes: [UInt8] = []
        for line in lines {
            let text = try line.text(by: encoder)
            bytes += digest(of: text[...]).utf8
            bytes.append(UInt8(ascii: " "))
            bytes += text
            bytes.append(lineEnd)
        }
        return bytes
    }

    private static func digest(of text: ArraySlice<UInt8>) -> Substring {
        hexadecimal(sha256(Array(text))).prefix(digestLetters)
    }

    private func contents(of bytes: [UInt8]) throws -> Contents {
        var contents = Contents()
        contents.bytes = bytes.count
        let places = Self.lines(of: bytes)
        let lines = places.concurrentMap { place in Self.line(bytes[place]) }
        for (place, line) in zip(places, lines) {
            guard let line else {
                throw Damage(sentence: "is damaged at byte \(place.lowerBound)")
            }
            if contents.lines == 0, line.head == nil {
                throw Damage(sentence: "does not begin as a copy of signed purchases does")
            }
            if let head = line.head { try check(head) }
            contents.take(line)
        }
        return contents
    }

    /// The places of all lines but a last one without an end, which was being written in a crash.
    private static func lines(of bytes: [UInt8]) -> [Range<Int>] {
        var places: [Range<Int>] = []
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: lineEnd) {
            places.append(start..<end)
            start = end + 1
        }
        return places
    }

    /// Nil for a line whose digest is another one, and for one that cannot be read.
    private static func line(_ bytes: ArraySlice<UInt8>) -> Line? {
        let text = bytes.dropFirst(digestLetters + 1)
        let seal = "\(digest(of: text)) ".utf8
        guard bytes.prefix(digestLetters + 1).elementsEqual(seal) else { return nil }
        return try? Line(text: text)
    }

    private func check(_ head: Line.Head) throws {
        guard head.format <= Self.format else {
            throw Damage(sentence: "was written by a later version of StoreKit")
        }
        guard head.customer == customer, head.scope == scope else {
            throw Damage(sentence: "is of another account or store")
        }
        guard head.deviceGuid == deviceGuid else {
            throw Damage(sentence: "is of the device's former identifier")
        }
    }
}

// A file may have thousands of lines with a transaction, or a little about one. Foundation takes as long
// for each as OpenSSL for half of a signature, so these are written and read directly.
extension SignedCopyFile.Line {
    private static let transactionStart = Array(#"{"transaction":"#.utf8)
    private static let shortBytesMax = 64

    fileprivate func text(by encoder: JSONEncoder) throws -> [UInt8] {
        // A purchase comes with the groups that it changed.
        guard let transaction, groups == nil,
            transaction.transaction.utf8.allSatisfy(Self.isPlain)
        else { return Array(try encoder.encode(self)) }
        return Self.transactionStart + (try WireJSON.encode(transaction)) + "}".utf8
    }

    /// Whether a letter needs no escaping: a JWS is written without, and a store may send anything.
    private static func isPlain(_ letter: UInt8) -> Bool {
        (0x20..<0x80).contains(letter) && letter != UInt8(ascii: "\"")
            && letter != UInt8(ascii: "\\")
    }

    fileprivate init(text: ArraySlice<UInt8>) throws {
        let isDirect = text.count <= Self.shortBytesMax || text.starts(with: Self.transactionStart)
        if isDirect, let members = (try? JSONValue(parsing: Array(text)))?.object,
            let line = Self(members)
        {
            self = line
        } else {
            self = try JSONDecoder().decode(Self.self, from: Data(text))
        }
    }

    /// Nil for other members than the frequent ones.
    private init?(_ members: [JSONValue.Member]) {
        guard members.count == 1 else { return nil }
        let value = members[0].value
        switch members[0].key {
        case "transaction":
            guard let body = SignedTransactionBody(value) else { return nil }
            self.init(transaction: body)
        case "finished":
            guard let id = value.wholeNumber.flatMap({ UInt64(exactly: $0) }) else { return nil }
            self.init(finished: id)
        case "cursor":
            guard let cursor = value.wholeNumber else { return nil }
            self.init(cursor: cursor)
        default: return nil
        }
    }
}

extension SignedTransactionBody {
    fileprivate init?(_ body: JSONValue) {
        guard let transactionId = body["transactionId"]?.string,
            let attemptId = body["attemptId"]?.string,
            let deviceGuid = body["deviceGuid"]?.string,
            let transaction = body["transaction"]?.string
        else { return nil }
        self.init(
            transactionId: transactionId, attemptId: attemptId, deviceGuid: deviceGuid,
            isFinished: body["isFinished"]?.bool, transaction: transaction)
    }
}

extension SignedCopyFile.Contents {
    /// Takes in one line; the store's answers are taken in the same way.
    @discardableResult
    mutating func take(
        _ line: SignedCopyFile.Line, isAnew: Bool = false
    ) -> (changes: [SignedChange], statuses: [SignedCopy.Status]) {
        lines += 1
        var changes: [SignedChange] = []
        var statuses: [SignedCopy.Status] = []
        // With a dot in it, what follows would be more than a payload and a signature.
        if let header = line.header {
            self.header = header.utf8.contains(UInt8(ascii: ".")) ? nil : header
        }
        if let body = line.transaction, let header, let entry = SignedEntry(body, header: header),
            let change = copy.take(entry, isAnew: isAnew)
        {
            changes.append(change)
        }
        if let bodies = line.groups, let header {
            statuses = copy.take(
                bodies.map { SignedCopy.Group($0, header: header) }, isAnew: isAnew)
        }
        if let id = line.finished { _ = copy.finish(id) }
        for id in line.deleted ?? [] { copy.remove(id) }
        if let text = line.appTransaction { copy.appTransaction = SignedText(text) }
        if let cursor = line.cursor { copy.cursor = cursor }
        return (changes, statuses)
    }

    /// The lines of a file that holds this and nothing else.
    var asLines: [SignedCopyFile.Line] {
        var lines: [SignedCopyFile.Line] = []
        var present: String?
        func rest(of text: SignedText) -> String {
            if text.head != present {
                lines.append(SignedCopyFile.Line(header: text.head))
                present = text.head
            }
            return text.rest
        }
        for entry in copy.entries.values.sorted(by: { $0.id < $1.id }) {
            let body = SignedTransactionBody(
                transactionId: "\(entry.id)", attemptId: entry.attemptId,
                deviceGuid: entry.deviceGuid, isFinished: entry.isFinished ? true : nil,
                transaction: rest(of: entry.text))
            lines.append(SignedCopyFile.Line(transaction: body))
        }
        // Statuses of one answer and of earlier ones stand side by side: each has its header.
        let groups = copy.groups.map { group in
            SignedGroupBody(
                groupId: group.id,
                isEligibleForIntroductoryOffer: group.isEligibleForIntroductoryOffer,
                statuses: group.statuses.map { status in
                    SignedStatusBody(
                        status: status.number, originalTransactionId: "",
                        transaction: status.transaction.text, renewal: status.renewal.text)
                })
        }
        lines.append(
            SignedCopyFile.Line(
                groups: groups, appTransaction: copy.appTransaction?.text, cursor: copy.cursor))
        return lines
    }
}
