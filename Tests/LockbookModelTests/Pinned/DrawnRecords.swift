/// A note of records, as lists, tables and logs have them, and two edits of it: records that move, come
/// and go, numbers and marks that change.
struct DrawnRecords: DrawnTexts {
    enum Kind: String, CaseIterable, Sendable {
        case tasks, numbered, table, rows, log, times, values, elements, objects, blocks
    }

    private(set) var base: [UInt8]
    private(set) var local: [UInt8]
    private(set) var remote: [UInt8]

    private static let names = [
        "Anna", "Bob", "Cleo", "Dora", "Emil", "Fritz", "Gero", "Hana", "Ida", "Jan", "call",
        "boat", "mast", "TODO", "the", "at", "é", "船", "x",
    ]
    private static let values = [
        "7", "12", "125", "1,250", "1 250 000", "½", "¾ l", "(030) 12 34", "27. 11. 2026", "3. 4.",
        "27 Nov", "2 h 30 min", "4 : 3", "10 – 20", "10-20", "11月27日", "٠", "٩ ٠", "۱۲", "०९",
        "০৯", "๐๙", "０９", "⅐", "C:\\a\\b2", "C:\\a\\c2", "?to=a&by=b", "?to=a&by=c", "pa$$w#d",
        "\\alpha", "{a}&b", "1,2,3,4", "f(1,2,3,4)", "9,10,11,12", "12,34,567", "\u{7f}", "8\t9",
        "2026-11-27", "14:05", "1.5", "St. 14", "3 km", "3 kms x", "5 kilo",
    ]

    /// - Parameters:
    ///   - length: records of the base, at most.
    ///   - edits: of each side, at most.
    init(seed: UInt64, kind: Kind, length: Int, edits: Int) {
        var random = Seeded(seed)
        let records = (0..<Int.random(in: 1...length, using: &random)).map { _ in
            Self.record(kind, &random)
        }
        var (local, remote) = (records, records)
        for _ in 0..<Int.random(in: 1...edits, using: &random) { Self.edit(&local, kind, &random) }
        for _ in 0..<Int.random(in: 1...edits, using: &random) {
            if Int.random(in: 0..<12, using: &random) == 0 { remote = local }
            Self.edit(&remote, kind, &random)
        }
        let form = Int.random(in: 0..<12, using: &random)
        let isRenumbered = Bool.random(using: &random)
        base = Self.bytes(records, kind, form, isRenumbered)
        self.local = Self.bytes(local, kind, form, isRenumbered)
        self.remote = Self.bytes(remote, kind, form == 1 ? 2 : form, isRenumbered)
    }

    private static func name(_ random: inout Seeded) -> String {
        names.randomElement(using: &random) ?? ""
    }

    private static func value(_ random: inout Seeded) -> String {
        values.randomElement(using: &random) ?? ""
    }

    private static func time(_ random: inout Seeded) -> String {
        "\(Int.random(in: 10...12, using: &random)):\(Int.random(in: 10...13, using: &random))"
    }

    private static func words(_ random: inout Seeded) -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in name(&random) }
            .joined(separator: " ")
    }

    /// A record without what its number makes of it.
    private static func record(_ kind: Kind, _ random: inout Seeded) -> String {
        switch kind {
        case .tasks:
            let mark = ["[ ]", "[x]", "[ab]", "(x)"].randomElement(using: &random) ?? ""
            let below = Int.random(in: 0..<3, using: &random) == 0 ? "\n  - " + words(&random) : ""
            return "- \(mark) " + words(&random) + below
        case .numbered: return words(&random)
        case .table: return "| \(name(&random)) | \(value(&random)) | \(name(&random)) |"
        case .rows:
            return (0..<Int.random(in: 3...6, using: &random)).map { _ in
                String(Int.random(in: 1...40, using: &random))
            }.joined(separator: ",")
        case .log:
            let day = Int.random(in: 26...28, using: &random)
            let below = Int.random(in: 0..<4, using: &random) == 0 ? "\n  " + words(&random) : ""
            return "- 2026-11-\(day) \(time(&random)) " + words(&random) + below
        case .times: return "- \(time(&random)) " + words(&random)
        case .values: return "\(name(&random)) \(value(&random)) \(value(&random)) " + name(&random)
        case .elements: return "<li>\(words(&random))</li>"
        case .objects: return "{\"n\":\"\(name(&random))\",\"v\":[\(value(&random))]}"
        case .blocks:
            return "\(name(&random)) {\n  of: \(value(&random))\n  to: \(words(&random))\n}\n"
        }
    }

    private static func edit(_ records: inout [String], _ kind: Kind, _ random: inout Seeded) {
        guard !records.isEmpty else { return records.append(record(kind, &random)) }
        let at = Int.random(in: 0..<records.count, using: &random)
        let other = Int.random(in: 0..<records.count, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: records.remove(at: at)
        case 1: records.insert(record(kind, &random), at: at)
        case 2: records.append(record(kind, &random))
        case 3: records.insert(records[other], at: at)
        case 4, 5: records.insert(records.remove(at: at), at: other)
        case 6: records.swapAt(at, other)
        case 7: records[at] += "\n  " + words(&random)
        case 8: records[at] = "  " + records[at]
        default:
            var parts = records[at].split(separator: " ", omittingEmptySubsequences: false)
                .map(String.init)
            let part = Int.random(in: 0..<parts.count, using: &random)
            let isNumber = parts[part].utf8.contains { (0x30...0x39).contains($0) }
            parts[part] = isNumber ? value(&random) : parts[part] + name(&random)
            records[at] = parts.joined(separator: " ")
        }
    }

    private static func bytes(
        _ records: [String],
        _ kind: Kind,
        _ form: Int,
        _ isRenumbered: Bool
    ) -> [UInt8] {
        var text: String
        switch kind {
        case .numbered:
            text = records.enumerated().map { index, record in
                "\(isRenumbered ? index + 1 : 1)\(form < 6 ? "." : ")") \(record)"
            }.joined(separator: "\n")
        case .elements: text = "<ul>" + records.joined() + "</ul>"
        case .objects: text = "[" + records.joined(separator: ",") + "]"
        default: text = records.joined(separator: "\n")
        }
        if form > 0 { text += "\n" }
        return Array(text.utf8).flatMap { byte in form == 2 && byte == 0x0A ? [0x0D, byte] : [byte]
        }
    }
}
