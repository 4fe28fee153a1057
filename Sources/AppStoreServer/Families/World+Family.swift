import StoreDatabase
import StoreModel

extension World {
    /// Ends the polls of an account's family, after a commit that may have given them something.
    ///
    /// Who is not woken because the family cannot be read hears of it with the next poll.
    func wakeFamily(of account: AccountID) {
        let family = try? database.read { try $0.family(of: account) }
        for member in family ?? [] where member.account != account {
            updates.wake(member.account, .events)
        }
    }
}
