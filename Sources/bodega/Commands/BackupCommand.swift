import AppStoreServer
import Foundation
import StoreModel
import StoreWire

/// `bodega backup` and `bodega restore-backup`
enum BackupCommand {
    static let backup = Command(
        "backup [PATH]", "copy a store into one file, while it runs or not",
        [
            Option(
                "keep", "N",
                "PATH is a folder: name the file by its time there, and keep the newest N"),
            ServeCommand.data, .json,
        ],
        details: """
            Works on the data directory itself, so it runs on the store's machine, as the store's
            user. The store goes on selling: each world is copied as it is at one moment. The backup
            holds everything, also keys and tokens, and only its owner can read it. It is read back
            and examined before it gets its name, and replaces no file; the disk needs room for two
            copies of the data. A name that ends in .gz has it compressed.

            With --keep and without PATH, the folder is backups in the data directory: copy its files
            to another machine.
            """,
        examples: [
            "bodega backup /mnt/backups/bodega.tar",
            "bodega backup /mnt/backups --keep 14",
        ], run: make)

    static let restore = Command(
        "restore-backup FILE", "make a data directory from a backup",
        [
            Option(
                "data", "DIR", "the directory to make, missing or empty", variable: "BODEGA_DATA",
                isRequired: true),
            .json,
        ],
        details: """
            No store starts in the directory before all is in place and on disk; a directory that holds
            anything is left as it is. The backup is examined first: a damaged one, or one of a newer
            version, is refused. Receipts stay valid and devices stay signed in. What happened after the backup is gone;
            the numbers that it may have used are passed over, so that no device or backend takes a
            new purchase for one that it knows.
            """,
        examples: ["bodega restore-backup /mnt/backups/bodega.tar --data ./store"], run: restore)

    private struct MadeBody: Codable {
        let file: String
        let bytes: Int64
        let worlds: Int
        let removed: [String]
    }

    private static func make(_ arguments: Arguments) throws {
        let data = ServerClient.Kind.store.dataDirectory(arguments)
        let keep = try arguments.count("keep").map { Int($0) }
        let now = WallClock.system.now()
        let folder: BackupFolder?
        let file: String
        switch (arguments.word("PATH"), keep) {
        case (let path, .some):
            let found = BackupFolder(path ?? data + "/backups")
            file = try found.newFile(now: now)
            folder = found
        case (let path?, nil): (file, folder) = (path, nil)
        case (nil, nil): throw UsageError("\(arguments.path) needs a PATH, or --keep")
        }
        let (about, bytes) = try failing {
            try Backup(of: data, wall: .system).write(to: file)
        }
        let removed = try keep.flatMap { try folder?.prune(keeping: $0, with: file) } ?? []
        let body = MadeBody(file: file, bytes: bytes, worlds: about.worlds, removed: removed)
        try arguments.show(try WireJSON.encode(body)) { (body: MadeBody) in
            let worlds = body.worlds == 1 ? "1 world" : "\(body.worlds) worlds"
            let gone =
                body.removed.isEmpty ? "" : "\nremoved \(body.removed.joined(separator: ", "))"
            return "\(body.file): \(worlds), \(body.bytes) bytes, read back and sound\(gone)"
        }
    }

    private struct RestoredBody: Codable {
        let directory: String
        let version: String
        let madeAt: Int64
        let worlds: Int
    }

    private static func restore(_ arguments: Arguments) throws {
        guard let file = arguments.word("FILE") else {
            throw UsageError("\(arguments.path) needs a FILE")
        }
        let directory = try arguments.required("data")
        let about = try failing {
            try BackupRestore(from: file, wall: .system).write(to: directory)
        }
        let body = RestoredBody(
            directory: directory, version: about.version, madeAt: about.madeAt,
            worlds: about.worlds)
        try arguments.show(try WireJSON.encode(body)) { (body: RestoredBody) in
            let time = TimeWords.text(Timestamp(milliseconds: body.madeAt))
            return "\(body.directory) is as the store was at \(time); start it with: bodega serve "
                + "--data \(body.directory)"
        }
    }

    private static func failing<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let failure as BackupFailure {
            throw Failure(failure.description, code: failure.code)
        }
    }
}
