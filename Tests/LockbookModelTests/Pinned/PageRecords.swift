/// Draws the records of a `DrawnPage`, each some lines.
enum PageRecords {
    private static let words = [
        "milk", "bread", "anna", "bob", "rome", "tall", "red", "blue", "river", "a", "b", "x", "1",
        "2", "42", "3.5", "yes", "done", "é", "船", "the", "of",
    ]

    static func word(_ random: inout Seeded) -> String { words.randomElement(using: &random) ?? "" }

    private static func some(_ count: ClosedRange<Int>, _ random: inout Seeded) -> String {
        (0..<Int.random(in: count, using: &random)).map { _ in word(&random) }
            .joined(separator: " ")
    }

    /// The lines of a whole text of some records.
    static func page(_ kind: DrawnPage.Kind, _ count: Int, _ random: inout Seeded) -> [String] {
        let records = (0..<count).map { _ in record(kind, &random) }
        switch kind {
        case .events: return ["BEGIN:VCALENDAR"] + records.joined() + ["END:VCALENDAR"]
        case .elements:
            return ["<?xml version=\"1.0\"?>", "<svg>"] + records.joined() + ["</svg>"]
        case .objects:
            // A comma behind each but the last.
            var lines = Array(records.joined())
            if lines.last?.hasSuffix(",") == true {
                lines[lines.count - 1] = String(lines[lines.count - 1].dropLast())
            }
            return ["["] + lines + ["]"]
        case .contacts, .records, .older, .journal, .outline, .sheet, .prose:
            return Array(records.joined())
        }
    }

    static func record(_ kind: DrawnPage.Kind, _ random: inout Seeded) -> [String] {
        switch kind {
        case .events: component("VEVENT", &random)
        case .contacts: component("VCARD", &random)
        case .objects: object(2, &random)
        case .records: [row(&random)]
        case .elements: element(1, &random)
        case .older: older(7, &random)
        case .journal: entry(&random)
        case .outline: section(&random)
        case .sheet: [cells(&random)]
        case .prose: prose(&random)
        }
    }

    private static func component(_ name: String, _ random: inout Seeded) -> [String] {
        let pool =
            name == "VCARD"
            ? ["FN", "N;ALTID=1", "N", "TEL;TYPE=\(word(&random))", "item1.TEL", "NOTE", "BDAY"]
            : [
                "SUMMARY", "DESCRIPTION;ALTREP=\"a:\(word(&random))\"", "ATTENDEE", "DTSTART",
                "X-A",
            ]
        var lines = ["BEGIN:\(name)"]
        if Int.random(in: 0..<6, using: &random) > 0 { lines.append("UID:\(word(&random))") }
        if Int.random(in: 0..<4, using: &random) == 0 {
            lines.append("RECURRENCE-ID:\(Int.random(in: 0..<3, using: &random))")
        }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            lines.append((pool.randomElement(using: &random) ?? "") + ":" + some(1...3, &random))
            while Int.random(in: 0..<4, using: &random) == 0 {
                lines.append([" ", "\t"][Int.random(in: 0...1, using: &random)] + word(&random))
            }
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            lines += ["BEGIN:VALARM", "TRIGGER:\(word(&random))", "END:VALARM"]
        }
        return lines + ["END:\(name)"]
    }

    private static func scalar(_ random: inout Seeded) -> String {
        [
            "\"\(some(1...3, &random))\"", "\(Int.random(in: 0..<60, using: &random))", "true",
            "null", "\"\"", "[]", "{}", "[1, 2, \(Int.random(in: 3...5, using: &random))]",
            "\"\\u0061\\\"\(word(&random))\"",
        ].randomElement(using: &random) ?? ""
    }

    private static func object(_ depth: Int, _ random: inout Seeded) -> [String] {
        let margin = String(repeating: "  ", count: depth)
        var lines = [String(margin.dropLast(2)) + "{"]
        let keys = ["id", "name", "key", "uid", "title", "city", "list", "Id", "done"]
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let key = "\(margin)\"\(keys.randomElement(using: &random) ?? "")\": "
            if depth < 4, Int.random(in: 0..<5, using: &random) == 0 {
                let inner = (0..<Int.random(in: 1...2, using: &random))
                    .flatMap { _ in object(depth + 2, &random) }
                lines += [key + "["] + inner.dropLast() + ["\(margin)  }", "\(margin)],"]
            } else {
                lines.append(key + scalar(&random) + ",")
            }
        }
        lines[lines.count - 1] = String(lines[lines.count - 1].dropLast())
        return lines + [margin.dropLast(2) + "},"]
    }

    private static func row(_ random: inout Seeded) -> String {
        let keys = ["id", "name", "done", "title", "n"].shuffled(using: &random)
        let members = keys.prefix(Int.random(in: 1...3, using: &random)).map { key in
            "\"\(key)\": " + scalar(&random)
        }
        return "{" + members.joined(separator: ", ") + "}"
    }

    private static func element(_ depth: Int, _ random: inout Seeded) -> [String] {
        let margin = String(repeating: "  ", count: depth)
        let id = " id=\"\(word(&random))\""
        switch Int.random(in: 0..<6, using: &random) {
        case 0,
            1 where depth < 4:
            let inner = (0..<Int.random(in: 1...2, using: &random))
                .flatMap { _ in element(depth + 1, &random) }
            return ["\(margin)<g\(id)>"] + inner + ["\(margin)</g>"]
        case 2: return ["\(margin)<!-- \(some(1...3, &random)) -->"]
        case 3: return ["\(margin)<text\(id)>\(some(1...4, &random))</text>"]
        case 4:
            return ["\(margin)<t>\(some(1...4, &random)) &amp; <![CDATA[\(word(&random))]]></t>"]
        default: return ["\(margin)<rect\(id) x=\"\(Int.random(in: 0..<9, using: &random))\"/>"]
        }
    }

    /// Two versions between markers, in which others may be, or lines like markers.
    private static func older(_ length: Int, _ random: inout Seeded) -> [String] {
        func marker(_ sign: Character, _ label: String) -> String {
            String(repeating: sign, count: length) + label
        }
        func version() -> [String] {
            switch Int.random(in: 0..<8, using: &random) {
            case 0 where length < 10: older(length + 1, &random)
            case 1: []
            case 2: ["=======", some(1...2, &random)]
            default: prose(&random)
            }
        }
        guard Bool.random(using: &random) else { return prose(&random) }
        return [marker("<", " a on b")] + version() + [marker("=", "")] + version()
            + [marker(">", " c on d")]
    }

    private static func entry(_ random: inout Seeded) -> [String] {
        func digit(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        let time = "1\(digit(below: 4)):0\(digit(below: 3))"
        let day = "2026-11-2\(digit(below: 3)) "
        let isDated = Int.random(in: 0..<8, using: &random) > 0
        let isOdd = Int.random(in: 0..<9, using: &random) == 0
        let words = some(0...2, &random)
        var lines = ["- " + (isDated ? day : "") + time + (words.isEmpty ? "" : " ") + words]
        if isOdd { lines = ["- " + some(1...2, &random)] }
        while digit(below: 4) == 0 { lines.append("  " + some(1...2, &random)) }
        return lines
    }

    private static func section(_ random: inout Seeded) -> [String] {
        let stars = String(repeating: "*", count: Int.random(in: 1...3, using: &random))
        let state = ["", "TODO ", "DONE "].randomElement(using: &random) ?? ""
        var lines = ["\(stars) \(state)" + some(1...2, &random)]
        if Int.random(in: 0..<3, using: &random) == 0 {
            lines += [":PROPERTIES:", ":ID: \(word(&random))", ":END:"]
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let margin = String(repeating: "  ", count: Int.random(in: 0...2, using: &random))
            let mark = ["", "- ", "+ ", "1. ", "- [ ] "].randomElement(using: &random) ?? ""
            lines.append(margin + mark + some(0...3, &random))
        }
        return lines
    }

    private static func cells(_ random: inout Seeded) -> String {
        (0..<Int.random(in: 3...4, using: &random)).map { _ in
            [
                word(&random), some(1...2, &random), "\"\(some(1...2, &random))\"", "",
                "\"\(word(&random)), \(word(&random))\"", "\"a \"\"\(word(&random))\"\"\"",
                "\(Int.random(in: 0..<100, using: &random))",
            ].randomElement(using: &random) ?? ""
        }.joined(separator: ",")
    }

    private static func prose(_ random: inout Seeded) -> [String] {
        let marks = [("*", "*"), ("**", "**"), ("`", "`"), ("[", "](u)"), ("", ""), ("", "")]
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let (before, behind) = marks.randomElement(using: &random) ?? ("", "")
            let starts = ["", "", "- ", "# ", "  - ", "> ", "1. "]
            let start = starts.randomElement(using: &random) ?? ""
            if Int.random(in: 0..<7, using: &random) == 0 { return "" }
            let end = [".", "", ""].randomElement(using: &random) ?? ""
            let words = some(1...3, &random) + " " + before + some(1...2, &random)
            return start + words + behind + end
        }
    }
}
