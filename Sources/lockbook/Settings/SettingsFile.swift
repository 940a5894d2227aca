/// A configuration file, read: the part of TOML 1.0 that settings need.
///
/// That is tables, and keys with strings of one line, whole numbers, `true` and `false`; arrays,
/// inline tables, dates and texts of several lines are refused with a sentence. The file is read
/// before a completion too, so reading it takes microseconds and no library.
struct SettingsFile {
    enum Value: Equatable {
        case text(String)
        case number(Int)
        case truth(Bool)
    }

    struct Entry {
        var table: [String]
        var key: String
        var value: Value
        /// From 1.
        var line: Int
    }

    /// What is wrong with a line.
    struct Unreadable: Error {
        var line: Int
        var reason: String
    }

    private(set) var entries: [Entry] = []
    /// The tables that stand in the file, also empty ones, and where.
    private(set) var tables: [(name: [String], line: Int)] = []

    init(_ text: String) throws {
        var table: [String] = []
        var (knownTables, knownKeys): (Set<[String]>, Set<[String]>) = ([], [])
        var line = 0
        // By scalars: as a character, the end of a line on other systems is one of its own.
        var scalars = text.unicodeScalars[...]
        // Some editors put it in front of every text.
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        for source in scalars.split(separator: "\n", omittingEmptySubsequences: false) {
            line += 1
            var reader = SettingsLine(source, number: line)
            if reader.isAtEnd() { continue }
            if reader.take("[") {
                table = try reader.keys()
                guard reader.take("]") else { throw reader.unreadable("a `]` is missing") }
                guard knownTables.insert(table).inserted else {
                    throw reader.unreadable("[\(table.joined(separator: "."))] stands there twice")
                }
                tables.append((table, line))
            } else {
                let keys = try reader.keys()
                guard reader.take("=") else { throw reader.unreadable("a `=` is missing") }
                let value = try reader.value()
                let entry = Entry(
                    table: table + keys.dropLast(),
                    key: keys[keys.count - 1],
                    value: value,
                    line: line
                )
                guard knownKeys.insert(entry.table + [entry.key]).inserted else {
                    throw reader.unreadable("\(entry.key) stands there twice")
                }
                entries.append(entry)
            }
            guard reader.isAtEnd() else {
                throw reader.unreadable("something follows that has no place here")
            }
        }
    }
}

/// One line of the file.
private struct SettingsLine {
    private var rest: Substring.UnicodeScalarView
    private let number: Int

    init(_ line: Substring.UnicodeScalarView, number: Int) {
        rest = line
        self.number = number
    }

    func unreadable(_ reason: String) -> SettingsFile.Unreadable {
        SettingsFile.Unreadable(line: number, reason: reason)
    }

    private mutating func skipBlanks() {
        rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
    }

    /// Whether nothing but a comment is left.
    mutating func isAtEnd() -> Bool {
        skipBlanks()
        return rest.isEmpty || rest.first == "#"
    }

    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard rest.first == sign else { return false }
        rest.removeFirst()
        return true
    }

    /// Keys with dots between them.
    mutating func keys() throws -> [String] {
        var keys: [String] = []
        repeat {
            skipBlanks()
            if let quoted = try text() {
                keys.append(quoted)
            } else {
                keys.append(word { $0 == "-" })
            }
            guard keys.last?.isEmpty == false else { throw unreadable("a name is missing") }
        } while take(".")
        return keys
    }

    private mutating func word(or isAllowed: (Unicode.Scalar) -> Bool) -> String {
        let word = rest.prefix {
            ($0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil))
                || $0 == "_" || isAllowed($0)
        }
        rest = rest[word.endIndex...]
        return String(word)
    }

    mutating func value() throws -> SettingsFile.Value {
        skipBlanks()
        if let text = try text() { return .text(text) }
        let word = word { "+-.:".unicodeScalars.contains($0) }
        switch word {
        case "true": return .truth(true)
        case "false": return .truth(false)
        case "": throw unreadable("a value is a text in quotes, a number, true or false")
        default:
            let digits = word.filter { $0 != "_" }
            guard let number = Int(digits) else {
                let isNumber = digits.drop { $0 == "-" || $0 == "+" }.allSatisfy(\.isNumber)
                guard !isNumber || digits.count < 19 else {
                    throw unreadable("\(word) is too large a number")
                }
                throw unreadable("\(quoted(word)) is no value; texts stand in quotes")
            }
            return .number(number)
        }
    }

    /// A text in `"`, where a backslash begins an escape, or in `'`, where nothing does.
    private mutating func text() throws -> String? {
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
        rest.removeFirst()
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == quote { return String(text) }
            if scalar == "\\", quote == "\"" {
                text.append(try escaped())
            } else {
                text.append(scalar)
            }
        }
        throw unreadable("a quote is open")
    }

    private mutating func escaped() throws -> Unicode.Scalar {
        guard let sign = rest.popFirst() else { throw unreadable("a quote is open") }
        switch sign {
        case "\"", "\\": return sign
        case "n": return "\n"
        case "t": return "\t"
        case "u", "U":
            let digits = rest.prefix(sign == "u" ? 4 : 8)
            rest = rest[digits.endIndex...]
            guard let scalar = UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init) else {
                throw unreadable("\\\(sign) has no character")
            }
            return scalar
        default: throw unreadable("\\\(sign) means nothing here")
        }
    }
}
