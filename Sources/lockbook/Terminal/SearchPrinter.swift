import FoundationEssentials
import LockbookEngine

/// Shows what a search finds while it is at work.
struct SearchPrinter {
    enum Form {
        case lines(numbered: Bool, null: Bool)
        case paths(null: Bool)
        case counts(null: Bool)
        case json
        /// Only whether there is anything.
        case nothing
    }

    /// Something was found, and more need not be looked for.
    struct Enough: Error {}

    /// Of the parts of a line, in bytes: each has the path of its note in front.
    private static let mostWaiting = 1 << 20

    private let form: Form
    /// Whether a line between them sets apart what does not follow each other.
    private let setsApart: Bool
    /// Whether each part of a line that matches is shown by itself, and nothing else of the line.
    private let inParts: Bool
    private let fetches: Bool
    /// The query, and the places behind it.
    private let words: [String]
    private let write: @Sendable (_ bytes: [UInt8]) throws -> Void
    private let style = SearchStyle()
    private var out: [UInt8] = []
    /// Whether something was not written, or not all of it: nothing follows that.
    private var isCut = false
    private var found = false
    private var unreadable = 0
    private var status: Status?
    private var shownObjects = 0
    /// Whether the last of them ends in the middle of a line: a comma may follow.
    private var lineIsOpen = false
    /// The line shown last: what does not follow it is set apart.
    private var last: (path: String, number: Int)?

    init(
        _ form: Form,
        setsApart: Bool,
        inParts: Bool = false,
        fetches: Bool,
        words: [String],
        write: @escaping @Sendable (_ bytes: [UInt8]) throws -> Void = { try Terminal.write($0) }
    ) {
        self.form = form
        self.write = write
        self.setsApart = setsApart
        self.inParts = inParts
        self.fetches = fetches
        self.words = words
    }

    mutating func show(_ events: [SearchEvent]) throws {
        for event in events {
            try add(event)
            if found, case .nothing = form { throw Enough() }
        }
        try flush()
    }

    /// - Returns: what the program ends with; nil when something was found and all was read.
    mutating func finish() throws -> CommandError? {
        // A search of nothing but what is not there found nothing out.
        let isFailed = status != nil && !found
        if case .json = form, !isFailed {
            endLine()
            out += (shownObjects == 0 ? "[]\n" : "]\n").utf8
        }
        try flush()
        if let status { return .told(status) }
        if unreadable > 0 { return .partial(count: unreadable) }
        return found ? nil : .told(.failed)
    }

    /// Ends what was begun, where the search cannot go on.
    mutating func close() throws {
        endLine()
        if case .json = form, shownObjects > 0 { out += "]\n".utf8 }
        try flush()
    }

    /// What follows, here or on standard error, begins a line.
    private mutating func endLine() {
        guard lineIsOpen else { return }
        out.append(style.newline)
        lineIsOpen = false
    }

    private mutating func flush() throws {
        guard !out.isEmpty, !isCut else { return }
        isCut = true
        try write(out)
        isCut = false
        out.removeAll(keepingCapacity: true)
    }

    private mutating func add(_ event: SearchEvent) throws {
        switch event {
        case .name(let file):
            found = true
            try add(file)
        case .lines(let file, let lines):
            found = true
            for line in lines {
                guard inParts else {
                    try add(line, of: file)
                    continue
                }
                try add(partsOf: line, of: file)
            }
        case .binary(let file):
            found = true
            if case .json = form {
                try add(SearchMatch(file, match: "binary"))
            } else if case .lines(_, let null) = form {
                out += style.path(file.path) + (null ? [0] : Array(": ".utf8))
                out += Array("binary file matches\n".utf8)
            }
        case .matched(let file, let lines):
            found = true
            switch form {
            case .paths(let null): out += style.path(file.path) + [null ? 0 : style.newline]
            case .counts(let null):
                out += style.path(file.path)
                out += null ? [0] : style.separator(":")
                out += Array("\(lines)\n".utf8)
            case .lines, .json, .nothing: break
            }
        case .unreadable(let path, let error):
            unreadable += 1
            endLine()
            try flush()
            Terminal.warn("\(path): \(error.searchSentence(fetches: fetches))")
        case .noTarget(let error):
            let failure = failure(error)
            status = status ?? failure.status
            endLine()
            try flush()
            Terminal.tell(failure)
        }
    }

    /// A place that is none may have been meant as one more word to search for.
    private func failure(_ error: LockbookError) -> Failure {
        let failure = Failure(ofCommand: error)
        guard case .notFound(let place) = error, failure.hint == Failure(error).hint,
            words.dropFirst().contains(place), !place.contains("/")
        else { return failure }
        let phrase = words.joined(separator: " ")
        return Failure(command: .noPlaceToSearch(place, words: phrase))
    }

    private mutating func add(_ file: SearchedFile) throws {
        switch form {
        case .json: try add(SearchMatch(file, match: "name"))
        case .nothing: break
        case .lines(_, let null), .paths(let null), .counts(let null):
            let slash = file.type == .folder && Terminal.outputIsTerminal ? "/" : ""
            out += style.path(file.path + slash) + [null ? 0 : style.newline]
        }
    }

    private mutating func add(_ line: SearchLine, of file: SearchedFile) throws {
        guard case .lines(let numbered, let null) = form else {
            if case .json = form { try add(SearchMatch(file, line)) }
            return
        }
        if setsApart {
            let follows = last.map { $0 == (file.path, line.number - 1) } ?? true
            if !follows { out += style.separator("--") + [style.newline] }
            last = (file.path, line.number)
        }
        let sign = line.isContext ? "-" : ":"
        out += style.path(file.path)
        out += null ? [0] : style.separator(sign)
        if numbered { out += style.number(line.number) + style.separator(sign) }
        out += style.line(line) + [style.newline]
    }

    private mutating func add(partsOf line: SearchLine, of file: SearchedFile) throws {
        // Of a long line that has many of them all is read once.
        let places: [SearchMatch.Place]? =
            if case .json = form { SearchMatch(file, line).places } else { nil }
        for (number, range) in line.matches.enumerated() {
            var part = line
            part.bytes = Array(line.bytes[range])
            part.matches = [0..<range.count]
            if let places {
                var match = SearchMatch(file, part)
                match.places = [places[number]]
                try add(match)
            } else {
                try add(part, of: file)
            }
            if out.count > Self.mostWaiting { try flush() }
        }
    }

    private mutating func add(_ match: SearchMatch) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let object = String(decoding: try encoder.encode(match), as: UTF8.self)
        out += (shownObjects == 0 ? "[\n" : ",\n").utf8
        out += (Terminal.outputIsTerminal ? printable(object) : object).utf8
        shownObjects += 1
        lineIsOpen = true
    }
}

/// What `search --json` says of one match.
private struct SearchMatch: Encodable {
    struct Place: Encodable {
        var start: Int
        var end: Int
    }

    var id: String
    var path: String
    var type: FileInfo.Kind
    /// `name`, `line` or `binary`.
    var match: String
    var line: Int?
    var text: String?
    /// Bytes of `text` in UTF-8.
    var places: [Place]?

    init(_ file: SearchedFile, match: String) {
        id = file.id
        path = file.path
        type = file.type
        self.match = match
    }

    init(_ file: SearchedFile, _ line: SearchLine) {
        self.init(file, match: "line")
        self.line = line.number
        let text = String(decoding: line.bytes, as: UTF8.self)
        self.text = text
        // What is no UTF-8 takes other room in the text than in the note.
        let isWhole = text.utf8.count == line.bytes.count
        var (at, shown) = (0, 0)
        func place(_ offset: Int) -> Int {
            guard !isWhole else { return offset }
            shown += String(decoding: line.bytes[at..<offset], as: UTF8.self).utf8.count
            at = offset
            return shown
        }
        places = line.matches.map { Place(start: place($0.lowerBound), end: place($0.upperBound)) }
    }
}

extension LockbookError {
    /// Why a search could not look into a document.
    fileprivate func searchSentence(fetches: Bool) -> String {
        switch self {
        case .contentNotHere where fetches:
            "its content is on the server alone, which cannot be reached"
        case .contentNotHere: "its content is on the server alone, --fetch brings it"
        case .contentGone: "its content was purged, or taken back, since the last sync"
        case .contentNotKept(_, let reason): "its content is on the server alone: \(reason)"
        case .ownerDeleted(_, let username):
            "its content is gone: \(username) has deleted the account that it was in"
        case .damaged: "it is damaged and does not open"
        case .tooCostly:
            "the expression takes too many steps in it; a repeat inside of a repeat, as in (a+)+, "
                + "does that"
        case .unreadableContent(_, _, let reason): "its content cannot be read: \(reason)"
        default: Failure(self).message ?? "\(self)"
        }
    }
}
