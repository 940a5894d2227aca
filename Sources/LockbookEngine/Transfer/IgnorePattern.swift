/// One line of an ignore file: a part of what `gitignore(5)` describes.
struct IgnorePattern: Sendable {
    let isNegated: Bool
    private let foldersOnly: Bool
    /// One for each step of a path; nil stands for any number of steps (`**`).
    private let steps: [[Token]?]

    private enum Token: Sendable {
        case literal(Unicode.Scalar)
        /// `?`
        case one
        /// `*`
        case run
        /// `**`, which is any number of steps where it is one.
        case deep
        /// Between two steps.
        case slash
        case set(IgnoreSet)
        /// What git takes for malformed.
        case nothing

        func matches(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .literal(let own): own == scalar
            case .one: true
            case .run, .deep, .slash, .nothing: false
            case .set(let set): set.contains(scalar)
            }
        }

        var isRun: Bool {
            switch self {
            case .run, .deep: true
            default: false
            }
        }

        var isDeep: Bool { if case .deep = self { true } else { false } }
        var isSlash: Bool { if case .slash = self { true } else { false } }
    }

    /// - Returns: nil for an empty line and for a comment.
    init?(_ line: String) {
        var rest = Array(line.unicodeScalars)
        if rest.last == "\r" { rest.removeLast() }
        while rest.last == " ", rest.dropLast().last != "\\" { rest.removeLast() }
        guard let first = rest.first, first != "#" else { return nil }
        isNegated = first == "!"
        if isNegated { rest.removeFirst() }
        foldersOnly = rest.last == "/"
        if foldersOnly { rest.removeLast() }
        guard !rest.isEmpty else { return nil }
        let isAnchored = rest.contains("/")
        if rest.first == "/" { rest.removeFirst() }
        // Between two slashes is a step without a name, which nothing has.
        let parts = Self.tokens(rest[...])
            .split(omittingEmptySubsequences: false) { $0.isSlash }
        var steps: [[Token]?] = isAnchored ? [] : [nil]
        for part in parts { steps.append(Self.isDeep(part) ? nil : Array(part)) }
        // `a/**` is what stands in a, not a itself.
        if parts.last.map(Self.isDeep) == true { steps.append([.run]) }
        self.steps = steps
    }

    private static func isDeep(_ part: ArraySlice<Token>) -> Bool {
        part.count == 1 && part.allSatisfy { $0.isDeep }
    }

    /// A slash in brackets ends no step, and fits nothing; one behind a backslash is like any other.
    private static func tokens(_ pattern: ArraySlice<Unicode.Scalar>) -> [Token] {
        var tokens: [Token] = []
        var rest = pattern
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*":
                let isMore = tokens.last?.isRun == true
                if isMore { tokens.removeLast() }
                tokens.append(isMore ? .deep : .run)
            case "?": tokens.append(.one)
            case "\\": tokens.append(rest.popFirst().map(literal) ?? .nothing)
            case "[":
                guard let set = IgnoreSet(&rest) else { return [.nothing] }
                tokens.append(.set(set))
            default: tokens.append(literal(scalar))
            }
        }
        return tokens
    }

    private static func literal(_ scalar: Unicode.Scalar) -> Token {
        scalar == "/" ? .slash : .literal(scalar)
    }

    /// - Parameter path: the steps from the folder of the ignore file.
    func matches(_ path: ArraySlice<String>, isFolder: Bool) -> Bool {
        guard isFolder || !foldersOnly else { return false }
        let path = Array(path)
        return Self.matches(
            steps.count,
            path.count,
            isRun: { steps[$0] == nil },
            fits: { step, place in
                steps[step].map { Self.matches($0, Array(path[place].unicodeScalars)) } ?? false
            }
        )
    }

    private static func matches(_ tokens: [Token], _ name: [Unicode.Scalar]) -> Bool {
        matches(
            tokens.count,
            name.count,
            isRun: { tokens[$0].isRun },
            fits: { tokens[$0].matches(name[$1]) }
        )
    }

    /// Whether a pattern with runs fits a whole text.
    ///
    /// Only the last run is ever tried again, so a
    /// hostile pattern costs no more than the product of both lengths.
    private static func matches(
        _ patternCount: Int,
        _ textCount: Int,
        isRun: (Int) -> Bool,
        fits: (_ pattern: Int, _ text: Int) -> Bool
    ) -> Bool {
        var pattern = 0
        var text = 0
        var again: (pattern: Int, text: Int)?
        while text < textCount {
            if pattern < patternCount, isRun(pattern) {
                again = (pattern + 1, text)
                pattern += 1
            } else if pattern < patternCount, fits(pattern, text) {
                pattern += 1
                text += 1
            } else if let last = again {
                pattern = last.pattern
                text = last.text + 1
                again = (last.pattern, text)
            } else {
                return false
            }
        }
        while pattern < patternCount, isRun(pattern) { pattern += 1 }
        return pattern == patternCount
    }
}

/// What an import passes by.
struct IgnoreRules: Sendable {
    static let fileName = ".lockbookignore"

    /// The files that count here, the deepest last; each with the number of steps to its folder.
    private var files: [(depth: Int, patterns: [IgnorePattern])] = []
    private let excluded: [IgnorePattern]

    init(excluding patterns: [String] = []) {
        excluded = patterns.compactMap(IgnorePattern.init)
    }

    /// The rules below a folder that has an ignore file.
    func adding(_ text: String, depth: Int) -> IgnoreRules {
        var rules = self
        // By bytes: a line may end with what combines with a line feed.
        // Some editors begin a file with a mark of its encoding.
        let lines = text.drop { $0 == "\u{FEFF}" }.utf8.split(separator: UInt8(ascii: "\n"))
        rules.files.append(
            (depth, lines.compactMap { IgnorePattern(String(decoding: $0, as: UTF8.self)) })
        )
        return rules
    }

    /// The last pattern that fits decides; what was asked for on the command line before all.
    /// - Parameter path: the steps from the folder that is taken in.
    func ignore(_ path: [String], isFolder: Bool) -> Bool {
        if let found = excluding(path, isFolder: isFolder) { return !found.isNegated }
        for (depth, patterns) in files.reversed() {
            let below = path[depth...]
            if let found = patterns.last(where: { $0.matches(below, isFolder: isFolder) }) {
                return !found.isNegated
            }
        }
        return false
    }

    /// Whether what was asked for on the command line passes by a path.
    func exclude(_ path: [String], isFolder: Bool) -> Bool {
        excluding(path, isFolder: isFolder)?.isNegated == false
    }

    private func excluding(_ path: [String], isFolder: Bool) -> IgnorePattern? {
        excluded.last { $0.matches(path[...], isFolder: isFolder) }
    }
}
