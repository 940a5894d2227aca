import LockbookModel

/// Gives files names that no other one of an import has: titles may be anything, and the same.
struct ForeignNames {
    private var taken: Set<[UInt8]> = []
    /// The last number that a name got: thousands may have the same title, or none.
    private var numbers: [[UInt8]: Int] = [:]

    /// - Parameter ending: with its dot; empty when the title has it.
    mutating func name(_ title: String, ending: String = "", in folder: [FileName]) -> FileName {
        let wanted = Self.plain(title, ending: ending)
        let place = folder.reduce(into: [UInt8]()) { $0 += $1.normalized + [0x2f] }
        let first = place + wanted.normalized
        var name = wanted
        while !taken.insert(place + name.normalized).inserted {
            numbers[first, default: 0] += 1
            name = wanted.numbered(numbers[first, default: 0])
        }
        return name
    }

    /// The title without what a name cannot have, cut to fit.
    static func plain(_ title: String, ending: String = "") -> FileName {
        var text = ""
        for scalar in title.unicodeScalars {
            switch scalar.value {
            case 0x2f: text += "-"
            case 0..<0x20, 0x7f..<0xa0: text += " "
            default: text.unicodeScalars.append(scalar)
            }
        }
        text = String(text.drop { $0 == " " })
        // A title that begins with a dot would be hidden.
        if text.hasPrefix(".") { text = "_" + text.dropFirst() }
        let most = FileName.maximumByteCount - ending.utf8.count
        while text.utf8.count > most { text.unicodeScalars.removeLast() }
        while text.last == " " { text.removeLast() }
        if text.isEmpty { text = "Untitled" }
        do {
            return try FileName(text + ending)
        } catch {
            preconditionFailure("made to be a name")
        }
    }

    /// From the folder of one file to another one, as a Markdown link has it.
    static func link(from folder: [FileName], to path: [FileName]) -> String {
        let common = zip(folder, path.dropLast()).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: folder.count - common)
        let down = path.dropFirst(common).map { encoded($0.text) }
        return (up + down).joined(separator: "/")
    }

    /// What means something in Markdown or in an address, by its code; letters of all scripts stay.
    static func encoded(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isPlain =
                scalar.value >= 0x80
                && !scalar.properties.isWhitespace
                || ("0"..."9").contains(scalar) || ("a"..."z").contains(scalar)
                || ("A"..."Z").contains(scalar) || "-._~/+,=@!&;".unicodeScalars.contains(scalar)
            if isPlain {
                result.unicodeScalars.append(scalar)
            } else {
                for byte in String(scalar).utf8 {
                    let digits = String(byte, radix: 16, uppercase: true)
                    result += "%" + (digits.count < 2 ? "0" : "") + digits
                }
            }
        }
        return result
    }
}
