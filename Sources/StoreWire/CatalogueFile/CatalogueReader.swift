import StoreModel

/// Reads typed values from a catalogue file's document, or reports what is wrong and where.
struct CatalogueReader {
    let document: JSONDocument

    func failure(_ message: String, at path: JSONPath) -> CatalogueFileError {
        CatalogueFileError(path: path, place: document.place(of: path), message: message)
    }

    /// The member of an object, or nil when it is missing or null.
    ///
    /// Values are passed along with their paths: looking up each path from the root would make
    /// reading a long file quadratic.
    func member(_ key: String, of object: JSONValue) -> JSONValue? {
        object[key].flatMap { $0.isNull ? nil : $0 }
    }

    func optionalString(
        _ key: String, of object: JSONValue, at path: JSONPath
    ) throws(CatalogueFileError) -> String? {
        guard let value = member(key, of: object) else { return nil }
        let place = path.appending(key)
        guard let text = value.string else {
            throw failure("expected a string, found \(value.kindName)", at: place)
        }
        guard text.utf8.count <= CatalogueFile.textBytesMax else {
            throw failure(
                "the text is longer than \(CatalogueFile.textBytesMax) bytes", at: place)
        }
        guard !text.utf8.contains(0) else {
            throw failure("the text holds the character U+0000", at: place)
        }
        return text
    }

    func string(
        _ key: String, of object: JSONValue, at path: JSONPath
    ) throws(CatalogueFileError) -> String {
        guard let text = try optionalString(key, of: object, at: path) else {
            throw missing(key, of: object, at: path)
        }
        return text
    }

    private func missing(
        _ key: String, of object: JSONValue, at path: JSONPath
    ) -> CatalogueFileError {
        failure(object[key] == nil ? "is missing" : "is null", at: path.appending(key))
    }

    func flag(
        _ key: String, of object: JSONValue, at path: JSONPath
    ) throws(CatalogueFileError) -> Bool {
        guard let value = member(key, of: object) else { return false }
        guard let flag = value.bool else {
            throw failure(
                "expected true or false, found \(value.kindName)", at: path.appending(key))
        }
        return flag
    }

    /// The objects of an array, each with its path; none when the array is missing.
    func objects(
        _ key: String, of object: JSONValue, at path: JSONPath
    ) throws(CatalogueFileError) -> [(value: JSONValue, path: JSONPath)] {
        guard let value = member(key, of: object) else { return [] }
        let place = path.appending(key)
        guard let elements = value.array else {
            throw failure("expected an array, found \(value.kindName)", at: place)
        }
        var objects: [(value: JSONValue, path: JSONPath)] = []
        for (index, element) in elements.enumerated() {
            guard element.object != nil else {
                throw failure(
                    "expected an object, found \(element.kindName)", at: place.appending(index))
            }
            objects.append((element, place.appending(index)))
        }
        return objects
    }

    /// An object of the root; empty when it is missing.
    private func section(_ key: String) throws(CatalogueFileError) -> JSONValue {
        guard let value = member(key, of: document.value) else { return .object([]) }
        guard value.object != nil else {
            throw failure(
                "expected an object, found \(value.kindName)", at: JSONPath.root.appending(key))
        }
        return value
    }
}

// The root and the settings.
extension CatalogueReader {
    func identifier() throws(CatalogueFileError) -> String? {
        guard document.value.object != nil else {
            throw failure(
                "expected an object, found \(document.value.kindName)", at: .root)
        }
        return try optionalString("identifier", of: document.value, at: .root)
    }

    func version() throws(CatalogueFileError) -> CatalogueFileVersion? {
        guard let value = member("version", of: document.value) else { return nil }
        let path = JSONPath.root.appending("version")
        _ = try section("version")
        guard let major = value["major"]?.integer, let minor = value["minor"]?.integer,
            major >= 0, minor >= 0
        else { throw failure("expected whole numbers \"major\" and \"minor\"", at: path) }
        let version = CatalogueFileVersion(major: major, minor: minor)
        guard CatalogueFileVersion.majorsRead.contains(major) else {
            throw failure(
                "version \(version) is not supported; versions 1.0 to 5.0 are", at: path)
        }
        return version
    }

    /// The storefront of the settings; nil when it is missing, or unknown to the store.
    func storefront() throws(CatalogueFileError) -> Storefront? {
        try optionalString("_storefront", of: section("settings"), at: Self.settings)
            .flatMap(Storefront.init(countryCode:))
    }

    func appNumber() throws(CatalogueFileError) -> AppNumber? {
        try optionalString("_applicationInternalID", of: section("settings"), at: Self.settings)
            .flatMap { AppNumber($0) }
    }

    func locale() throws(CatalogueFileError) -> String? {
        try optionalString("_locale", of: section("settings"), at: Self.settings)
    }

    private static let settings = JSONPath.root.appending("settings")
}
