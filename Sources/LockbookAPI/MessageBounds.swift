/// How many fields a message may have, before it is decoded.
///
/// Two bytes on the wire are an empty message of some hundred bytes in memory: without a bound the
/// largest body would take gigabytes.
package enum MessageBounds {
    /// Several times what the fullest honest message has: each record of 8 MiB with all inside.
    package static let maximumFieldCount = 1_000_000
    /// No deeper: there are contents, whose bytes a member of a share may choose to look like fields.
    private static let maximumDepth = 2

    /// Whether a body has at most so many fields, in the messages right inside of it as well.
    ///
    /// What are bytes and what is a message nothing on the wire tells: all that could be one is
    /// counted, up to where it cannot be.
    package static func holds(_ body: UnsafeRawBufferPointer) -> Bool {
        var count = 0
        return Self.count(body[...], depth: 1, &count)
    }

    /// - Returns: false when there are too many.
    private static func count(
        _ message: Slice<UnsafeRawBufferPointer>,
        depth: Int,
        _ count: inout Int
    ) -> Bool {
        var rest = message
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
                let inside = rest.prefix(Int(length))
                if depth < maximumDepth, !Self.count(inside, depth: depth + 1, &count) {
                    return false
                }
                rest = rest.dropFirst(Int(length))
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
