import Testing

@testable import StoreHTTP

struct RequestTargetTests {
    struct Good: Sendable, CustomTestStringConvertible {
        let target: String
        var segments: [String] = []
        var query: [String] = []

        var testDescription: String { target }
    }

    static let good = [
        Good(target: "/"),
        Good(target: "/?"),
        Good(target: "/a/b", segments: ["a", "b"]),
        Good(target: "/a/", segments: ["a", ""]),
        Good(target: "/a%20b", segments: ["a b"]),
        Good(target: "/%61", segments: ["a"]),
        Good(target: "/a+b", segments: ["a+b"]),
        Good(target: "/a%25b", segments: ["a%b"]),
        Good(target: "/%C3%A9%e2%82%ac", segments: ["é€"]),
        Good(target: "/...", segments: ["..."]),
        Good(target: "/a?b/../c", segments: ["a"], query: ["b/../c="]),
        Good(target: "/?a=1&b=2&a=3", query: ["a=1", "b=2", "a=3"]),
        Good(target: "/?a", query: ["a="]),
        Good(target: "/?a=", query: ["a="]),
        Good(target: "/?=b", query: ["=b"]),
        Good(target: "/?=", query: ["="]),
        Good(target: "/?&&a=1&", query: ["a=1"]),
        Good(target: "/?a=b=c", query: ["a=b=c"]),
        Good(target: "/?a+b=c+d%2B", query: ["a b=c d+"]),
        Good(target: "/?a=%26%3D", query: ["a=&="]),
        Good(target: "/?a=b?c", query: ["a=b?c"]),
    ]

    @Test(arguments: good)
    func `a request target is split and decoded`(row: Good) throws {
        let target = try RequestTarget(Array(row.target.utf8))
        #expect(target.segments == row.segments)
        #expect(target.query.map { "\($0.name)=\($0.value)" } == row.query)
        #expect(target.path == row.target.prefix { $0 != "?" })
    }

    @Test(arguments: [
        ("/a/b/c", 2, ["a", "b/c"]), ("/a/b//c/", 2, ["a", "b//c/"]), ("/a//b", 2, ["a", "/b"]),
        ("/a/b%2Fc%2B+%3D", 2, ["a", "b/c++="]), ("/a/..", 2, ["a", ".."]), ("/a/", 2, ["a", ""]),
        ("/a", 2, ["a"]), ("/a/b/c", 1, ["a/b/c"]), ("/a/b?c/d", 2, ["a", "b"]),
    ])
    func `the rest of a path is one part where a server wants it`(
        target: String, partsMax: Int, segments: [String]
    ) throws {
        let target = try RequestTarget(Array(target.utf8)) { _ in partsMax }
        #expect(target.segments == segments)
    }

    @Test(arguments: ["/a/%", "/a/%00", "/a/b%ff", "//b", "/../b", "/%2f/b", "/a/b c"])
    func `the parts before the rest are as strict as ever`(target: String) {
        let refusal = #expect(throws: RequestRefusal.self) {
            try RequestTarget(Array(target.utf8)) { _ in 2 }
        }
        #expect(refusal?.status == 400)
    }

    @Test(arguments: [
        "", "a", "*", "?a", "http://a/", "//", "//a", "/a//b", "/a//", "/.", "/..", "/./a",
        "/a/..", "/%2e", "/%2E%2e/a", "/.%2e", "/%2f", "/a%2Fb", "/%00", "/a%0a", "/%7f", "/%",
        "/%1", "/%g1", "/%1g", "/%-1", "/%ff", "/%c3", "/%c0%af", "/%ed%a0%80", "/a b", "/a#b",
        "/é", "/\u{1}", "/?%", "/?a=%0", "/?%zz=1", "/?a=%00", "/?a=%ff", "/?a=\u{7f}",
    ])
    func `an ambiguous request target is refused`(target: String) {
        let refusal = #expect(throws: RequestRefusal.self) {
            try RequestTarget(Array(target.utf8))
        }
        #expect(refusal?.status == 400)
    }
}
