import Foundation
import TestSupport
import Testing

/// Where commands write what a person asks for.
@Suite(.ownThreads) struct OutputFileTests {
    private static let export = ["account", "export", "buyer@example.com"]

    @Test func `an export into a pipe goes to its reader, and the pipe stays`() throws {
        let lab = try Lab.open(withBackend: false)
        let pipe = lab.folder + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = try Program("/bin/cat", [pipe], logs: lab.folder + "/logs")
        #expect(try lab.bodega(Self.export + [pipe]) == "")
        #expect(try reader.wait() == 0)
        #expect(reader.output == (try lab.bodega(Self.export)))
        var status = stat()
        #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test(arguments: [[], ["--json"]])
    func `an export to the command's own output is the export alone`(options: [String]) throws {
        let lab = try Lab.open(withBackend: false)
        // As /dev/stdout is, which would be lost to everybody.
        let (own, target) = (lab.folder + "/stdout", "/proc/self/fd/1")
        try FileManager.default.createSymbolicLink(atPath: own, withDestinationPath: target)
        let printed = try lab.bodega(Self.export)
        #expect(try lab.bodega(Self.export + [own] + options) == printed)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: own) == target)
    }

    @Test func `a link is followed, and the file it leads to is replaced with its mode`() throws {
        let lab = try Lab.open(withBackend: false)
        let (file, link) = (lab.folder + "/real.storekit", lab.folder + "/link.storekit")
        _ = FileManager.default.createFile(
            atPath: file, contents: Data(), attributes: [.posixPermissions: 0o640])
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let catalogue = ["catalog", "export", "--bundle-id", Lab.bundleID]
        try lab.bodega(catalogue + ["--output", link])
        #expect(
            try String(contentsOfFile: file, encoding: .utf8) == (try lab.bodega(catalogue)))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect(mode as? Int == 0o640)
    }

    @Test func `links to a file that does not exist yet are followed and stay`() throws {
        let lab = try Lab.open(withBackend: false)
        let folder = lab.folder + "/linked"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        // The second lies in another folder and is relative to that.
        let links = [
            (lab.folder + "/first", "linked/second"), (folder + "/second", "new.storekit"),
        ]
        for (link, destination) in links {
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: destination)
        }
        let catalogue = ["catalog", "export", "--bundle-id", Lab.bundleID]
        try lab.bodega(catalogue + ["--output", links[0].0])
        #expect(
            try String(contentsOfFile: folder + "/new.storekit", encoding: .utf8)
                == (try lab.bodega(catalogue)))
        for (link, destination) in links {
            let found = try FileManager.default.destinationOfSymbolicLink(atPath: link)
            #expect(found == destination)
        }
    }

    @Test func `links in a circle are refused and stay`() throws {
        let lab = try Lab.open(withBackend: false)
        let link = lab.folder + "/circle"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "circle")
        let said = try lab.bodega(Self.export + [link], code: 1)
        #expect(said.contains("cannot write \(link)"), "\(said)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "circle")
    }

    @Test func `a file in a folder that is not there, and a folder, are named`() throws {
        let lab = try Lab.open(withBackend: false)
        for (path, reason) in [
            (lab.folder, "Is a directory"), ("/nowhere/at/all", "No such file or directory"),
        ] {
            let said = try lab.bodega(Self.export + [path], code: 1)
            #expect(said.contains("cannot write \(path): \(reason)"), "\(said)")
        }
    }
}
