import Foundation

/// What a person set on a device for its purchases, in `settings.json` of the home folder. It can
/// be changed while apps run.
package struct DeviceSettings: Codable, Hashable, Sendable {
    /// Whether purchases are switched off.
    package var arePaymentsRestricted = false

    /// Nothing is switched off.
    package init() {}

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        arePaymentsRestricted =
            try container.decodeIfPresent(Bool.self, forKey: .arePaymentsRestricted) ?? false
    }
}

extension DeviceSettings {
    /// Why the settings cannot be told, in a sentence.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// The settings in a home folder; those of a fresh device when it holds none.
    ///
    /// Throws when the file cannot be read, and `Problem` when it is damaged. It is not set aside, as
    /// others of the folder are: what somebody has switched off would be on again.
    package static func read(home path: String) throws -> DeviceSettings {
        let file = HomeFolder(existing: path).settingsFile
        guard let bytes = try DurableFile.read(file) else { return DeviceSettings() }
        do {
            return try JSONDecoder().decode(DeviceSettings.self, from: Data(bytes))
        } catch {
            throw Problem(
                description: "\(file) is damaged, so purchases count as switched off: mend it, or "
                    + "remove it to switch them on.")
        }
    }

    /// Changes the settings in a home folder, which is made when it is not there, and gives what
    /// they are then. They are on disk when this returns; of two changes at once none is lost.
    @discardableResult
    package static func change(
        home path: String, _ body: (inout DeviceSettings) -> Void
    ) throws -> DeviceSettings {
        let home = try HomeFolder(path: path)
        return try home.locked {
            var settings = try read(home: path)
            body(&settings)
            try home.save(settings, to: home.settingsFile)
            return settings
        }
    }
}
