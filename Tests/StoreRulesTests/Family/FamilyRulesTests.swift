import StoreModel
import StoreRules
import Testing

/// Who is in a family.
struct FamilyRulesTests {
    private static let family = FamilyNumber(1)
    private static let other = FamilyNumber(2)
    private static let organiser = FamilyMember(account: AccountID(1), isOrganiser: true)
    private static let child = FamilyMember(account: AccountID(2))
    private static let full =
        [organiser] + (2...6).map { FamilyMember(account: AccountID(Int64($0))) }

    enum Step: Sendable {
        case make(Int64, known: FamilyNumber?)
        case add(Int64, known: FamilyNumber?)
        case remove(Int64)
        case share(Bool, Int64)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var from: [FamilyMember] = [organiser, child]
        let step: Step
        let to: Result<[FamilyMember], FamilyRefusal>
    }

    @Test(arguments: [
        Row(
            testDescription: "who has none makes one", from: [], step: .make(1, known: nil),
            to: .success([organiser])),
        Row(
            testDescription: "who is in one makes none", from: [], step: .make(1, known: other),
            to: .failure(.inFamily)),
        Row(
            testDescription: "one more joins", step: .add(3, known: nil),
            to: .success([organiser, child, FamilyMember(account: AccountID(3))])),
        Row(
            testDescription: "who is in it stays", step: .add(2, known: family),
            to: .success([organiser, child])),
        Row(
            testDescription: "who is in another does not join", step: .add(3, known: other),
            to: .failure(.inFamily)),
        Row(
            testDescription: "the sixth joins", from: full.dropLast(), step: .add(6, known: nil),
            to: .success(full)),
        Row(
            testDescription: "the seventh does not", from: full, step: .add(7, known: nil),
            to: .failure(.full)),
        Row(
            testDescription: "who is in a full one stays", from: full, step: .add(6, known: family),
            to: .success(full)),
        Row(testDescription: "one leaves", step: .remove(2), to: .success([organiser])),
        Row(
            testDescription: "the organiser stays", step: .remove(1),
            to: .failure(.organiserStays)),
        Row(
            testDescription: "who is not in it does not leave", step: .remove(3),
            to: .failure(.notMember)),
        Row(
            testDescription: "one shares no more", step: .share(false, 2),
            to: .success([
                organiser, FamilyMember(account: AccountID(2), sharesPurchases: false),
            ])),
        Row(
            testDescription: "the organiser, too", step: .share(false, 1),
            to: .success([
                FamilyMember(account: AccountID(1), isOrganiser: true, sharesPurchases: false),
                child,
            ])),
        Row(
            testDescription: "who shares already", step: .share(true, 2),
            to: .success([organiser, child])),
        Row(
            testDescription: "who is not in it shares nothing", step: .share(true, 3),
            to: .failure(.notMember)),
    ])
    func `each family step leads to another family or is refused`(row: Row) {
        let result = Result { () throws(FamilyRefusal) in
            switch row.step {
            case .make(let account, let known):
                try FamilyRules.made(by: AccountID(account), known: known)
            case .add(let account, let known):
                try FamilyRules.adding(
                    AccountID(account), known: known, to: Self.family, row.from)
            case .remove(let account):
                try FamilyRules.removing(AccountID(account), from: row.from)
            case .share(let isOn, let account):
                try FamilyRules.sharing(isOn, by: AccountID(account), in: row.from)
            }
        }
        #expect(result == row.to)
    }
}
