/// What can stand at the cursor.
struct CompletionAnswer {
    enum Directive: String {
        /// A finished word is followed by a space, unless it ends in `/`.
        case space
        case nospace
        /// Files of the disk as well; the shell knows them.
        case files
        case folders
    }

    var directive = Directive.space
    /// What stands in front of every value in the same word.
    private let lead: String
    private var records: [UInt8] = []

    init(lead: String = "") {
        self.lead = lead
    }

    mutating func add(_ value: String, description: String = "") {
        records += (lead + value).utf8
        if !description.isEmpty {
            records.append(UInt8(ascii: "\t"))
            // What others chose may be in it.
            records += printable(description).utf8
        }
        records.append(0)
    }

    /// What was added, for a reader in this process.
    var values: [(value: String, description: String)] {
        records.split(separator: 0).map { record in
            let parts = record.split(
                separator: UInt8(ascii: "\t"),
                maxSplits: 1,
                omittingEmptySubsequences: false
            ).map { String(decoding: $0, as: UTF8.self) }
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    /// Answers a shell, which shows names as they are: those that would pretend to be others are left
    /// out.
    func print() {
        var shown = records
        if records.contains(where: { $0 >= 0x80 }) {
            let kept = records.split(separator: 0).filter {
                !isDeceptive(
                    String(decoding: $0.prefix { $0 != UInt8(ascii: "\t") }, as: UTF8.self)
                )
            }
            shown = Array(kept.joined(separator: [0])) + (kept.isEmpty ? [] : [0])
        }
        // When nobody listens any more there is nobody to tell.
        try? Terminal.write(Array("directive=\(directive.rawValue)\0".utf8) + shown)
    }
}
