import StoreModel
import StoreWire

/// The account signed in on a device, as the device's settings show and change it.
///
/// It works on the home folder of one installation. Running apps share the folder and notice
/// changes.
package struct DeviceAccount: Sendable {
    /// The contents of the home folder.
    package struct Status: Codable, Hashable, Sendable {
        /// This installation's identifier; nil before it is created.
        package let guid: String?
        /// `Production` or `Sandbox`; nil before the device is registered.
        package let environment: String?
        /// Nil when no account is signed in.
        package let account: String?
        /// ISO 3166-1 alpha-3; nil before the device is registered.
        package let storefront: String?
        /// The store's world; nil before the device is registered.
        package let worldId: String?
    }

    /// Why it did not work, in a sentence.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    private let connection: StoreConnection
    private let home: HomeFolder

    /// Reads the variables that an app gets: `STOREKIT_URL`, `STOREKIT_HOME` and the others.
    ///
    /// The app's version may be omitted when the device is registered: it defaults to the
    /// registered one, since two versions that share a folder would invalidate each other's token.
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

    /// The contents of a home folder; the store is not contacted.
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

    /// Signs in; the store checks the password even when the account is already signed in.
    package func signIn(_ name: String, password: String) throws(Problem) -> Status {
        do throws(StoreFailure) {
            try connection.signIn(
                StoreConfiguration.Account(name: name, password: password), from: .settings)
        } catch {
            throw Problem(description: error.sentence)
        }
        return try Self.status(home: home.path)
    }

    /// Signs out; nothing changes when the store cannot be reached.
    package func signOut() throws(Problem) -> Status {
        do throws(StoreFailure) {
            try connection.signOut()
        } catch {
            throw Problem(description: error.sentence)
        }
        return try Self.status(home: home.path)
    }
}
