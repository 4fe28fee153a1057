import Foundation
import StoreWire

extension PropertyListValue {
    /// A value from the app; nil for anything that a property list cannot hold.
    init?(_ object: Any) {
        switch object {
        case let text as String: self = .string(text)
        case let number as NSNumber: self.init(number)
        case let number as any BinaryFloatingPoint: self = .real(ExactNumber(Double(number)))
        case let data as Data: self = .data([UInt8](data))
        case let date as Date: self = .date(ExactNumber(date.timeIntervalSinceReferenceDate))
        case let elements as [Any]: self.init(elements)
        case let members as [String: Any]: self.init(members)
        default: return nil
        }
    }

    /// Foundation stores a number's kind as its Objective-C type: `c` only for Boolean values.
    private init(_ number: NSNumber) {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"): self = .boolean(number.boolValue)
        case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .real(ExactNumber(number.doubleValue))
        case UInt8(ascii: "Q"):
            let whole = number.uint64Value
            self = Int64(exactly: whole).map { .integer($0) } ?? .large(whole)
        default: self = .integer(number.int64Value)
        }
    }

    private init?(_ elements: [Any]) {
        var values: [PropertyListValue] = []
        for element in elements {
            guard let value = PropertyListValue(element) else { return nil }
            values.append(value)
        }
        self = .array(values)
    }

    private init?(_ members: [String: Any]) {
        var values: [String: PropertyListValue] = [:]
        for (key, member) in members {
            guard let value = PropertyListValue(member) else { return nil }
            values[key] = value
        }
        self = .dictionary(values)
    }

    /// A value for the app. Numbers and Boolean values are `NSNumber`s; `as?` converts them to
    /// `Bool`, `Int` or `Double` where it does on Apple's platforms.
    var object: Any {
        switch self {
        case .boolean(let flag): NSNumber(value: flag)
        case .integer(let number): NSNumber(value: number)
        case .large(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number.value)
        case .string(let text): text
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds.value)
        case .data(let bytes): Data(bytes)
        case .array(let elements): elements.map(\.object)
        case .dictionary(let members): members.mapValues(\.object)
        }
    }
}

// How the typed getters convert values of other types: as Apple documents it, or else as `NSNumber`
// and `NSString` do.
extension PropertyListValue {
    private var number: NSNumber? { object as? NSNumber }

    private var text: NSString? {
        guard case .string(let text) = self else { return nil }
        return NSString(string: text)
    }

    var asBool: Bool { number?.boolValue ?? text?.boolValue ?? false }

    var asDouble: Double { number?.doubleValue ?? text?.doubleValue ?? 0 }

    /// Fractions are truncated; values out of range become the nearest limit.
    var asInt64: Int64 {
        switch self {
        case .real(let number): Self.whole(number.value)
        case .large: Int64.max
        default: number?.int64Value ?? text?.longLongValue ?? 0
        }
    }

    private static func whole(_ number: Double) -> Int64 {
        if number.isNaN { return 0 }
        return Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }

    var asString: String? {
        if case .string(let text) = self { return text }
        return number?.stringValue
    }
}
