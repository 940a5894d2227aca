/// What users did in one world, as far as it has to be found again.
struct Oracle {
    /// A word that one edit wrote and nothing else has.
    struct Token {
        let number: Int
        /// The document that it was written to.
        let file: String
        let device: Int
        let sequence: Int
    }

    struct Deletion {
        let device: Int
        let sequence: Int
    }

    private(set) var tokens: [Token] = []
    private var next = 0
    /// Words that somebody took out, or that were in a folder that an older copy replaced.
    private(set) var removable: Set<Int> = []
    /// Words that stood twice where both versions of a conflict are, or were brought back.
    private(set) var mayStandTwice: Set<Int> = []
    /// Files that must not come back.
    private(set) var deletions: [String: Deletion] = [:]
    /// Files that somebody took out of the trash.
    private(set) var restored: Set<String> = []
    /// Files that somebody deleted, with all that he saw below them.
    private(set) var deleted: Set<String> = []

    // MARK: Words

    /// A new word; it counts once the edit is acknowledged.
    mutating func makeToken() -> Int {
        next += 1
        return next
    }

    static func word(_ token: Int) -> String { "t\(token)x" }

    mutating func wrote(_ token: Int, to file: String, on device: Int, at sequence: Int) {
        tokens.append(Token(number: token, file: file, device: device, sequence: sequence))
    }

    /// Somebody takes these words out.
    mutating func remove(_ tokens: Set<Int>) {
        removable.formUnion(tokens)
    }

    /// These words may stand in a document more than once.
    mutating func allowTwice(_ tokens: Set<Int>) {
        mayStandTwice.formUnion(tokens)
    }

    /// Whether some bytes have two versions between markers.
    static func hasMarkers(_ bytes: [UInt8]) -> Bool {
        var signs = 0
        return bytes.contains { byte in
            signs = byte == UInt8(ascii: "<") ? signs + 1 : 0
            return signs == 7
        }
    }

    /// Every word in some bytes.
    static func tokens(in bytes: [UInt8]) -> Set<Int> { Set(list(in: bytes)) }

    /// Every word in a line that begins like a marker.
    static func tokens(behindMarkersIn bytes: [UInt8]) -> Set<Int> {
        bytes.split(separator: UInt8(ascii: "\n"))
            .filter { $0.starts(with: "<<<<<<<".utf8) || $0.starts(with: ">>>>>>>".utf8) }
            .reduce(into: []) { $0.formUnion(tokens(in: Array($1))) }
    }

    /// The words that stand in some bytes more than once.
    static func repeated(in bytes: [UInt8]) -> Set<Int> {
        var seen: Set<Int> = []
        return Set(list(in: bytes).filter { !seen.insert($0).inserted })
    }

    private static func list(in bytes: [UInt8]) -> [Int] {
        var found: [Int] = []
        bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                guard bytes[index] == UInt8(ascii: "t") else {
                    index += 1
                    continue
                }
                index += 1
                var number = 0
                let start = index
                while index < bytes.count, index - start < 9, (48...57).contains(bytes[index]) {
                    number = number * 10 + Int(bytes[index]) - 48
                    index += 1
                }
                if index > start, index < bytes.count, bytes[index] == UInt8(ascii: "x") {
                    found.append(number)
                }
            }
        }
        return found
    }

    // MARK: Deletions

    /// Somebody is about to delete these files.
    mutating func willDelete(_ files: [String]) {
        deleted.formUnion(files)
    }

    mutating func didDelete(_ file: String, on device: Int, at sequence: Int) {
        deletions[file] = Deletion(device: device, sequence: sequence)
    }

    /// Somebody purged a file of which a copy of his data folder may know.
    mutating func mayComeBack(_ file: String) {
        deletions[file] = nil
    }

    /// Somebody takes a file out of the trash.
    mutating func didRestore(_ file: String) {
        deletions[file] = nil
        restored.insert(file)
    }

    // MARK: Older copies

    /// An older copy of a data folder takes its place: what was done in it since, and was not
    /// pushed, is gone with it.
    mutating func putBack(device: Int, from backup: Int, syncedUpTo synced: Int) {
        for token in tokens where token.device == device && token.sequence > max(backup, synced) {
            removable.insert(token.number)
        }
        for (file, deletion) in deletions
        where deletion.device == device && deletion.sequence > max(backup, synced) {
            deletions[file] = nil
        }
        // The older copy may take them out of the trash once more.
        for file in restored { deletions[file] = nil }
    }
}
