import Foundation
import TestSupport
import Testing

/// What the app offers: what its backend names and the store clears for sale.
@Suite(.ownThreads) struct OfferedProductsTests {
    private static let hasPython = ProcessInfo.processInfo.environment["BODEGA_PYTHON"] != nil
    private static let leave = ["type q", "end 0", "plain"]
    private static let moonTrack = "com.example.rocketcar.moontrack"
    private static let rainTrack = "com.example.rocketcar.raintrack"

    private func removeFromSale(_ product: String, in lab: Lab) throws {
        try lab.bodega(["product", "remove", product, "--bundle-id", Lab.bundleID])
    }

    @Test func `the app neither offers nor buys what the store did not return`() throws {
        let lab = try Lab.open()
        try removeFromSale(Self.moonTrack, in: lab)
        let list = try lab.app(["list"])
        #expect(list.contains("invalid \(Self.moonTrack)\n"), "\(list)")
        #expect(!list.contains("product \(Self.moonTrack)"))
        #expect(list.contains("product \(Lab.fuel) $0.99 Rocket Fuel"))
        let refused = try lab.app(["buy", Self.moonTrack], code: 1)
        #expect(refused.contains("\(Self.moonTrack) is not for sale"), "\(refused)")
        #expect(try lab.count("SELECT count(*) FROM attempt", in: lab.storeFile) == 0)
    }

    @Test(.enabled(if: hasPython))
    func `the game's shelf has only what the store returned`() throws {
        let lab = try Lab.open()
        try removeFromSale(Self.moonTrack, in: lab)
        let screens = try lab.play(["wait Rocket Fuel", "screen"] + Self.leave)
        #expect(screens.contains("Season Pass") && !screens.contains("Moon Track"), "\(screens)")
    }

    @Test(.enabled(if: hasPython))
    func `without its backend the game offers the products built into it`() throws {
        let lab = try Lab.open(withBackend: false)
        let screens = try lab.play(
            ["wait Rocket Fuel", "screen"] + Self.leave,
            environment: ["ROCKETCAR_BACKEND": "http://127.0.0.1:1"])
        #expect(screens.contains("Season Pass") && screens.contains("Moon Track"), "\(screens)")
    }

    @Test
    func `the same app gets a new product and new content from the backend's changed list`()
        throws
    {
        let lab = try Lab.open()
        #expect(try !lab.app(["list"]).contains(Self.rainTrack))
        try sellRainTrack(in: lab)
        #expect(try !lab.app(["list"]).contains(Self.rainTrack), "the list decides")
        try restartBackend(of: lab, content: "It rains.")
        #expect(try lab.app(["list"]).contains("product \(Self.rainTrack) $1.99 Rain Track"))
        for content in ["It rains.", "It pours."] {
            try restartBackend(of: lab, content: content)
            let bought = try lab.app(["buy", Self.rainTrack])
            #expect(bought.contains("delivered \(Self.rainTrack) "), "\(bought)")
            let file = "\(lab.folder)/phone-app/content/product-\(Self.rainTrack)"
            #expect(try String(contentsOfFile: file, encoding: .utf8) == content)
        }
    }

    /// Puts a track into the catalogue that this version of the app has never heard of.
    private func sellRainTrack(in lab: Lab) throws {
        let path = Lab.package + "/Examples/RocketCar/RocketCar.storekit"
        let catalogue = try String(contentsOfFile: path, encoding: .utf8)
            .replacing(Self.moonTrack, with: Self.rainTrack)
            .replacing("Moon Track", with: "Rain Track")
        let copy = lab.folder + "/rain.storekit"
        try Data(catalogue.utf8).write(to: URL(fileURLWithPath: copy))
        try lab.bodega(["catalog", "import", copy, "--bundle-id", Lab.bundleID])
    }

    /// Starts the backend again with a list that has the track, which brings a text.
    private func restartBackend(of lab: Lab, content: String) throws {
        let folder = lab.folder + "/products"
        if !FileManager.default.fileExists(atPath: folder) {
            try FileManager.default.copyItem(
                atPath: Lab.package + "/Examples/RocketCar/Backend", toPath: folder)
        }
        let list = folder + "/products.json"
        let text = try String(contentsOfFile: list, encoding: .utf8)
            .replacing("moontrack", with: "raintrack")
        try Data(text.utf8).write(to: URL(fileURLWithPath: list))
        try Data(content.utf8).write(to: URL(fileURLWithPath: folder + "/content/raintrack.txt"))
        lab.backend?.terminate()
        try lab.backend?.wait()
        try lab.startBackend(products: list)
    }

    @Test func `a product has its texts in the customer's language, its price, content and period`()
        throws
    {
        let lab = try Lab.open(withBackend: false)
        let folder = lab.folder + "/levels"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        try Data("12345".utf8).write(to: URL(fileURLWithPath: folder + "/level.txt"))
        try lab.bodega([
            "content", "upload", Lab.turbo, folder, "--content-version", "1.7", "--bundle-id",
            Lab.bundleID,
        ])
        let asked = try Program(
            "PurchaseProbe", ["--ask", Lab.turbo, Lab.club, "nothing"],
            environment: lab.appEnvironment().merging(["LC_ALL": "de_AT.UTF-8"]) { $1 },
            logs: lab.folder + "/logs")
        #expect(try asked.wait() == 0, "\(asked.output)\(asked.errors)")
        #expect(
            asked.output == """
                may pay true
                product \(Lab.club) | Stuntclub | Jeden Monat neue Kunststücke. | 1.99 USD \
                | no content | group E4B7A1C0 | period 1 of 2
                product \(Lab.turbo) | Turbo | Macht dein Auto für immer zur Rakete. | 2.99 USD \
                | content 1.7: 5 | group nil | period nil
                invalid nothing

                """)
    }
}
