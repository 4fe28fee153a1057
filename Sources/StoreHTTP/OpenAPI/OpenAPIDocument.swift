/// A server's OpenAPI document, and what such documents have in common: pieces of JSON, as text.
///
/// A piece is indented for its place and ends without a comma. Descriptions are put in as they are:
/// a quote or a backslash in one is written as JSON writes it.
package protocol OpenAPIDocument {
    /// The document as it is served.
    static var bytes: [UInt8] { get }
}

extension OpenAPIDocument {
    /// An array of strings, as JSON.
    package static func array(_ values: [String]) -> String {
        "[" + values.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }

    /// The schema of a member that may be null, too.
    package static func nullable(_ schema: String) -> String {
        ##""anyOf": [{"$ref": "#/components/schemas/\##(schema)"}, {"type": "null"}]"##
    }

    /// A security scheme whose token is sent as `Authorization: Bearer …`.
    package static func bearer(_ name: String, _ description: String) -> String {
        #"""
              "\#(name)": {
                "type": "http",
                "scheme": "bearer",
                "description": "\#(description)"
              }
        """#
    }
}
