import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import AppStoreServer

/// Families from the owner's side.
struct FamilyServiceTests {
    @Test func `a family is created, changed, listed and ended`() async throws {
        let home = try await FamilyFixture()
        let made = try await home.send("POST", "", MakeFamilyBody(organiser: "buyer"))
        #expect(made.status == 201)
        let added = try await home.send("POST", "/1/add", FamilyMemberNameBody(name: "kid"))
        #expect(added.status == 200)
        try Golden.check(added.body, "control-family-change.json")
        _ = try await home.share(false, by: "kid")
        let shown = try await home.send("GET", "/1")
        try Golden.check(shown.body, "control-family.json")
        let listed = try await home.send("GET", "")
        try Golden.check(listed.body, "control-families.json")
        // What is so already is no change.
        #expect(try await home.change("/1/add", FamilyMemberNameBody(name: "kid")) == [0, 0])
        #expect(try await home.send("GET", "/1") == shown)
        let ended = try await home.send("DELETE", "/1")
        let body = try WireJSON.decode(FamilyChangeBody.self, from: ended.body)
        #expect(body.family.number == 1 && body.family.members.isEmpty)
        #expect(errorCode(try await home.send("GET", "/1")) == "familyUnknown")
        // Its number is never given again.
        let next = try await home.send("POST", "", MakeFamilyBody(organiser: "kid"))
        #expect(try WireJSON.decode(FamilyChangeBody.self, from: next.body).family.number == 2)
    }

    @Test func `an invalid family change is refused and changes nothing`() async throws {
        let home = try await FamilyFixture()
        try await home.family(with: "kid")
        let before = try await home.send("GET", "")
        let rows: [(String, String, any Encodable, Int, String)] = [
            ("POST", "", MakeFamilyBody(organiser: "buyer"), 409, "inFamily"),
            ("POST", "", MakeFamilyBody(organiser: "kid"), 409, "inFamily"),
            ("POST", "", MakeFamilyBody(organiser: "nobody"), 404, "accountUnknown"),
            (
                "POST", "", MakeFamilyBody(environment: .production, organiser: "aunt"), 404,
                "accountUnknown"
            ),
            ("POST", "/2/add", FamilyMemberNameBody(name: "aunt"), 404, "familyUnknown"),
            ("POST", "/01/add", FamilyMemberNameBody(name: "aunt"), 404, "familyUnknown"),
            ("POST", "/1/add", FamilyMemberNameBody(name: "nobody"), 404, "accountUnknown"),
            ("POST", "/1/remove", FamilyMemberNameBody(name: "aunt"), 409, "notInFamily"),
            ("POST", "/1/remove", FamilyMemberNameBody(name: "buyer"), 409, "organiserStays"),
            (
                "POST", "/1/sharing", FamilySharingBody(name: "aunt", sharesPurchases: true), 409,
                "notInFamily"
            ),
        ]
        for (method, path, body, status, code) in rows {
            let answer = try await home.send(method, path, body)
            #expect(answer.status == status, "\(path)")
            #expect(errorCode(answer) == code, "\(path)")
        }
        #expect(try await home.send("GET", "") == before)
    }

    @Test func `a seventh family member is refused`() async throws {
        let home = try await FamilyFixture()
        try await home.family(with: "kid", "aunt")
        for number in 4...7 {
            let made = try await home.store.control(
                "POST", "/control/v1/accounts",
                body: MakeAccountBody(
                    environment: .sandbox, name: "number \(number)", password: "rocket-fuel-1",
                    storefront: nil))
            #expect(made.status == 201)
            let added = try await home.send(
                "POST", "/1/add", FamilyMemberNameBody(name: "number \(number)"))
            #expect(added.status == (number < 7 ? 200 : 409))
            #expect(errorCode(added) == (number < 7 ? nil : "familyFull"))
        }
    }

    @Test func `families are listed page by page`() async throws {
        let home = try await FamilyFixture()
        let world = home.store.registry.defaultWorld
        try world.database.write { scope in
            for _ in 0...Limits.familiesPerAnswerMax {
                _ = try scope.addFamily(in: .sandbox, at: Timestamp(seconds: 1))
            }
        }
        let first = try WireJSON.decode(
            FamiliesBody.self, from: try await home.send("GET", "").body)
        #expect(first.families.count == Limits.familiesPerAnswerMax)
        let next = try #require(first.next)
        let rest = try WireJSON.decode(
            FamiliesBody.self, from: try await home.send("GET", "?after=\(next)").body)
        #expect(rest.families.map(\.number) == [next + 1])
        #expect(rest.next == nil)
    }
}
