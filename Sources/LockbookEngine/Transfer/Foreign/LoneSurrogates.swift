/// Halves of characters in JSON.
///
/// A string of JavaScript can hold half a surrogate pair, as when a title was cut in the middle of
/// an emoji, and `JSON.stringify` writes it as `\ud83d` (ECMA-262, 25.5.2.4). No Unicode text can
/// hold it, so readers refuse the whole document.
enum LoneSurrogates {
    /// Puts U+FFFD, the replacement character, in the place of each.
    static func replace(in json: inout [UInt8]) {
        var index = 0
        while index + 1 < json.count {
            guard json[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            guard let unit = unit(at: index, of: json) else {
                index += 2
                continue
            }
            switch unit {
            case 0xD800...0xDBFF:
                let next = self.unit(at: index + 6, of: json)
                if let next, (0xDC00...0xDFFF).contains(next) {
                    index += 6
                } else {
                    json.replaceSubrange(index..<index + 6, with: "\\ufffd".utf8)
                }
            case 0xDC00...0xDFFF: json.replaceSubrange(index..<index + 6, with: "\\ufffd".utf8)
            default: break
            }
            index += 6
        }
    }

    /// The number of an escape `\uXXXX` that begins here.
    private static func unit(at index: Int, of json: [UInt8]) -> UInt16? {
        guard index + 6 <= json.count, json[index] == UInt8(ascii: "\\"),
            json[index + 1] == UInt8(ascii: "u")
        else { return nil }
        return UInt16(String(decoding: json[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }
}
