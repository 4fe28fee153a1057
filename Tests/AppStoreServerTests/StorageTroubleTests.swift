import StoreDatabase
import StoreHTTP
import StoreLog
import Testing

@testable import AppStoreServer

/// What a client is told of a database that could not do what it was asked.
struct StorageTroubleTests {
    @Test(arguments: [
        (DatabaseError.Code.unavailable, 503), (.diskFull, 503), (.inputOutput, 503),
        (.constraint, 500), (.notADatabase, 500), (.olderSchema, 500), (.newerSchema, 500),
        (.other, 500),
    ])
    func `only a temporary database failure asks the client to retry`(
        code: DatabaseError.Code, status: Int
    ) {
        let answer = Scene.response(
            for: DatabaseError(code: code, detail: "as the test says"), log: Log { _ in })
        #expect(answer.status == status)
        #expect((answer.headers["Retry-After"] != nil) == (status == 503))
        #expect(errorCode(answer) != nil)
    }
}
