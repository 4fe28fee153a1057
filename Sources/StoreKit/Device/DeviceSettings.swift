import Foundation

/// A device's settings for purchases, in `settings.json` of the home folder. They can be changed
/// while apps run.
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
    /// Why the settings are unknown, in a sentence.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// The settings in a home folder; the defaults when it holds none.
    ///
    /// Throws when the file cannot be read, and `Problem` when it is damaged. Unlike other files of
    /// the folder, it is not set aside: that would switch purchases back on.
    package static func read(home path: String) throws -> DeviceSettings {
        let file = HomeFolder(existing: path).settingsFile
        guard let bytes = try DurableFile.read(file) else { return DeviceSettings() }
        do {
            return try JSONDecoder().decode(DeviceSettings.self, from: Data(bytes))
        } catch {
            throw Problem(
                description: "\(file) is damaged, so purchases are switched off: repair it, or "
                    + "remove it to switch them on.")
        }
    }

    /// Changes the settings in a home folder, which is created if missing, and gives the new ones.
    /// They are on disk when this returns; concurrent changes are all kept.
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
