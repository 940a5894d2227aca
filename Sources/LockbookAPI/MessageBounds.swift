package import SwiftProtobuf

/// How many fields a message may have, before it is decoded.
///
/// Two bytes on the wire are an empty message of some hundred bytes in memory: without a bound the
/// largest body would take gigabytes.
package enum MessageBounds {
    /// Several times what the fullest honest message has: each record of 8 MiB with all inside.
    package static let maximumFieldCount = 1_000_000

    /// Whether the body of such a message has at most so many fields, in the messages inside of it as
    /// well, and in none of these more messages than there may be.
    package static func holds(_ body: UnsafeRawBufferPointer, for type: any Message.Type) -> Bool {
        var count = 0
        return Self.count(body[...], MessageShape(of: type), &count)
    }

    /// - Returns: false when there are too many.
    private static func count(
        _ message: Slice<UnsafeRawBufferPointer>,
        _ shape: MessageShape,
        _ count: inout Int
    ) -> Bool {
        var rest = message
        var inside: [UInt64: Int] = [:]
        // What cannot be decoded costs nothing.
        while !rest.isEmpty {
            guard let key = varint(&rest), key >> 3 > 0 else { return true }
            count += 1
            guard count <= maximumFieldCount else { return false }
            switch key & 7 {
            case 0: guard varint(&rest) != nil else { return true }
            case 1: rest = rest.dropFirst(8)
            case 5: rest = rest.dropFirst(4)
            case 2:
                guard let length = varint(&rest), length <= rest.count else { return true }
                if let field = shape.fields[key >> 3] {
                    inside[key >> 3, default: 0] += 1
                    guard inside[key >> 3, default: 0] <= field.most,
                        Self.count(rest.prefix(Int(length)), field.shape, &count)
                    else { return false }
                }
                rest = rest.dropFirst(Int(length))
            // Groups, which no message here has, are passed by with the fields in them.
            case 3, 4: continue
            default: return true
            }
        }
        return true
    }

    private static func varint(_ rest: inout Slice<UnsafeRawBufferPointer>) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = rest.popFirst(), shift < 64 {
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }
}
