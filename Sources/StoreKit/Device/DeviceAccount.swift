import StoreModel
import StoreWire

/// Who is signed in on a device, as its settings show and change it.
///
/// It works on the home folder of one installation, which apps that run share: they notice.
package struct DeviceAccount: Sendable {
    /// What the home folder says.
    package struct Status: Codable, Hashable, Sendable {
        /// This installation's identifier; nil before it was made.
        package let guid: String?
        /// `Production` or `Sandbox`; nil before the device was registered.
        package let environment: String?
        /// Nil when nobody is signed in.
        package let account: String?
        /// ISO 3166-1 alpha-3; nil before the device was registered.
        package let storefront: String?
        /// The store's world; nil before the device was registered.
        package let worldId: String?
    }

    /// Why it did not work, in a sentence.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    private let connection: StoreConnection
    private let home: HomeFolder

    /// With the variables that an app has: `STOREKIT_URL`, `STOREKIT_HOME` and the others.
    ///
    /// The app's version may be left out when the device is registered: it is the one it was
    /// registered with, since two versions on one folder would take each other's token away.
    package init(_ variables: [String: String]) throws(Problem) {
        var variables = variables
        if variables["STOREKIT_APP_VERSION"] == nil, let path = variables["STOREKIT_HOME"],
            let session = try? HomeFolder(existing: path).deviceSession()
        {
            variables["STOREKIT_APP_VERSION"] = session.appVersion
        }
        let configuration: StoreConfiguration
        switch StoreConfiguration.read(variables) {
        case .success(let read?): configuration = read
        case .success(nil): throw Problem(description: "STOREKIT_URL is not set.")
        case .failure(let problem): throw Problem(description: problem.sentence)
        }
        do {
            home = try HomeFolder(path: configuration.home)
        } catch {
            throw Problem(description: "\(error)")
        }
        connection = StoreConnection(configuration: configuration, home: home)
    }

    /// What a home folder says; nothing is asked of the store.
    package static func status(home path: String) throws(Problem) -> Status {
        do {
            let home = HomeFolder(existing: path)
            let record = try home.load(DeviceRecord.self, from: home.deviceFile)
            let session = record?.session
            return Status(
                guid: record?.guid, environment: session?.environment, account: session?.account,
                storefront: session?.countryCode, worldId: session?.worldId)
        } catch {
            throw Problem(description: "\(error)")
        }
    }

    /// Signs in; the store looks at the password also when the account is signed in already.
    package func signIn(_ name: String, password: String) throws(Problem) -> Status {
        do throws(StoreFailure) {
            try connection.signIn(
                StoreConfiguration.Account(name: name, password: password), from: .settings)
        } catch {
            throw Problem(description: error.sentence)
        }
        return try Self.status(home: home.path)
    }

    /// Signs out whoever is signed in; nothing changes when the store cannot be asked.
    package func signOut() throws(Problem) -> Status {
        do throws(StoreFailure) {
            try connection.signOut()
        } catch {
            throw Problem(description: error.sentence)
        }
        return try Self.status(home: home.path)
    }
}
