import CPCRE2
import Glibc

/// A regular expression, compiled once and used by all threads.
///
/// Syntax and meaning are those of PCRE2, for one line at a time. Text that is no UTF-8 is searched
/// all the same; what is wrong in it matches nothing. Limits of PCRE2 end what would take for ever at
/// one place of a line, and a limit of time what would take so at all of them.
final class ExpressionMatcher: Sendable {
    /// The expression gave up: it needs too many steps, too much memory, or too long.
    struct TooCostly: Error {}

    /// How often a piece of the expression is tried at one place of a line.
    private static let matchLimit: UInt32 = 10_000_000
    /// How deeply it goes without JIT.
    private static let depthLimit: UInt32 = 250_000
    private static let heapKiB: UInt32 = 65_536
    /// How long one document is searched, and each MiB of it besides.
    private static let patience: Duration = .seconds(5)
    private static let patiencePerMiB: Duration = .seconds(2)
    /// A line up to this length is searched at once: its square is soon done.
    private static let shortLine = 4_096
    /// How much is searched between two looks at the clock.
    private static let stretch: Duration = .milliseconds(20)

    // An address, since a pointer may not be shared among threads; PCRE2 only reads what is there.
    private let code: UInt

    /// - Parameter isWord: whether no letter, digit or underscore may stand next to what matches.
    /// - Throws: `.badQuery`, which says where.
    init(_ expression: String, ignoresCase: Bool, isWord: Bool = false) throws {
        let context = pcre2_compile_context_create_8(nil)
        defer { pcre2_compile_context_free_8(context) }
        // A line may still end in the `\r` of a note from elsewhere.
        pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANYCRLF))
        var options = UInt32(PCRE2_UTF) | UInt32(PCRE2_MATCH_INVALID_UTF) | UInt32(PCRE2_UCP)
        options |= UInt32(PCRE2_USE_OFFSET_LIMIT)
        if ignoresCase { options |= UInt32(PCRE2_CASELESS) }
        var code = try Self.compile(expression, options, context)
        if isWord {
            // After itself: what is wrong in it would be right in parentheses, or be told of elsewhere.
            pcre2_code_free_8(code)
            code = try Self.compile(Self.asWord(expression), options, context)
        }
        // Where a system allows no JIT, it is slower and right.
        pcre2_jit_compile_8(code, UInt32(PCRE2_JIT_COMPLETE))
        self.code = UInt(bitPattern: code)
    }

    private static func compile(
        _ expression: String,
        _ options: UInt32,
        _ context: OpaquePointer?
    ) throws -> OpaquePointer {
        var problem: Int32 = 0
        var place = 0
        let bytes = Array(expression.utf8)
        guard
            let code = pcre2_compile_8(bytes, bytes.count, options, &problem, &place, context)
        else {
            let before = String(decoding: bytes.prefix(place), as: UTF8.self)
            let reason = sentence(problem)
            throw LockbookError.badQuery(
                query: expression,
                reason: place == 0 ? reason : "\(reason), after `\(before)`"
            )
        }
        return code
    }

    /// An expression next to which no word goes on, also where it begins or ends with a sign.
    ///
    /// PCRE2's own option wants the end of a word on both sides, which `#tag` has on one. `\E` ends a
    /// `\Q` that was left open, and means nothing elsewhere. An accent of its own is as much of a word as
    /// the letter that has it; what chooses between forms of a sign (U+FE00 to U+FE0F) is none.
    private static func asWord(_ expression: String) -> String {
        let accent = "(?![\\x{fe00}-\\x{fe0f}])\\p{Mn}"
        return "(?<!\\w)(?<!\(accent))(?:\(expression)\\E)(?!\\w|\(accent))"
    }

    /// An expression that means this text and nothing else.
    static func quoted(_ text: String) -> String {
        var quoted = ""
        for character in text.unicodeScalars {
            let isPlain =
                !character.isASCII || character.properties.isAlphabetic
                || ("0"..."9").contains(character)
            if !isPlain { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(character)
        }
        return quoted
    }

    deinit {
        pcre2_code_free_8(OpaquePointer(bitPattern: code))
    }

    private static func sentence(_ problem: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let length = pcre2_get_error_message_8(problem, &buffer, buffer.count)
        guard length > 0 else { return "it is no regular expression" }
        return String(decoding: buffer.prefix(Int(length)), as: UTF8.self)
    }

    /// What one thread needs to search one document.
    final class Search {
        private let matcher: ExpressionMatcher
        private let code: OpaquePointer?
        private let data: OpaquePointer?
        private let context: OpaquePointer?
        private let clock: () -> Duration
        /// How long it may take, for as much of the document as came.
        private var allowed = patience
        /// How long it took, without what it was waited for between two lines.
        private var spent: Duration = .zero
        private var began: Duration?
        /// How much was searched since the clock was looked at.
        private var unwatched = 0

        /// - Parameter clock: tells how long this thread has worked.
        init(_ matcher: ExpressionMatcher, clock: @escaping () -> Duration = Search.threadTime) {
            self.matcher = matcher
            self.clock = clock
            code = OpaquePointer(bitPattern: matcher.code)
            data = pcre2_match_data_create_8(1, nil)
            context = pcre2_match_context_create_8(nil)
            pcre2_set_match_limit_8(context, matchLimit)
            pcre2_set_depth_limit_8(context, depthLimit)
            pcre2_set_heap_limit_8(context, heapKiB)
        }

        deinit {
            pcre2_match_data_free_8(data)
            pcre2_match_context_free_8(context)
        }

        // Not the time of day: a busy machine, or a search that was stopped for a while, is no fault of
        // the expression.
        private static func threadTime() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }

        /// Allows for so much more of the document.
        func expect(_ byteCount: Int) {
            allowed += patiencePerMiB * Double(byteCount) / Double(1 << 20)
        }

        func nextLine(in text: UnsafeRawBufferPointer, from start: Int) throws -> Range<Int>? {
            defer { pause() }
            var start = start
            while start < text.count {
                let end = text.lineEnd(from: start)
                if try match(text, start..<end, from: 0) != nil { return start..<end }
                start = end + 1
            }
            return nil
        }

        func matches(in text: UnsafeRawBufferPointer, line: Range<Int>) throws -> [Range<Int>] {
            defer { pause() }
            var matches: [Range<Int>] = []
            var start = 0
            while start <= line.count, let found = try match(text, line, from: start) {
                if found.isEmpty {
                    start = Self.next(text, line, behind: found.upperBound)
                } else {
                    matches.append(found)
                    start = max(start + 1, found.upperBound)
                }
            }
            return matches
        }

        /// Where it matches in a line, counted from the line's beginning.
        private func match(
            _ text: UnsafeRawBufferPointer,
            _ line: Range<Int>,
            from start: Int
        ) throws -> Range<Int>? {
            guard line.count > shortLine else {
                unwatched += line.count
                if unwatched > shortLine { try watch() }
                return try match(text, line, from: start, upTo: line.count)
            }
            // Each place of a long line may take a look at all of it.
            var (start, width) = (start, 1)
            var before = try watch()
            while true {
                let last = min(start + width - 1, line.count)
                if let found = try match(text, line, from: start, upTo: last) { return found }
                guard last < line.count else { return nil }
                let now = try watch()
                width = now - before > stretch ? max(1, width / 2) : width * 2
                before = now
                start = Self.next(text, line, behind: last)
            }
        }

        /// - Returns: what the clock says.
        @discardableResult
        private func watch() throws -> Duration {
            unwatched = 0
            let now = clock()
            let since = began ?? now
            began = since
            guard spent + (now - since) < allowed else { throw TooCostly() }
            return now
        }

        /// Stops counting: what is done between two lines that matched costs no patience.
        ///
        /// Of a call in which nobody had a reason to look at the clock nothing is counted.
        private func pause() {
            guard let since = began else { return }
            spent += clock() - since
            began = nil
        }

        /// The same of what begins between two places of the line.
        private func match(
            _ text: UnsafeRawBufferPointer,
            _ line: Range<Int>,
            from start: Int,
            upTo last: Int
        ) throws -> Range<Int>? {
            guard let base = text.baseAddress else { return nil }
            pcre2_set_offset_limit_8(context, last)
            let subject = (base + line.lowerBound).assumingMemoryBound(to: UInt8.self)
            var found = pcre2_match_8(code, subject, line.count, start, 0, data, context)
            if found == PCRE2_ERROR_JIT_STACKLIMIT {
                let options = UInt32(PCRE2_NO_JIT)
                found = pcre2_match_8(code, subject, line.count, start, options, data, context)
            }
            switch found {
            case PCRE2_ERROR_NOMATCH: return nil
            case 0...:
                guard let places = pcre2_get_ovector_pointer_8(data) else { return nil }
                // `\K` that is called from around a match may put its beginning behind its end, or
                // into the match before.
                return min(max(places[0], start), places[1])..<places[1]
            // A limit, or no memory: never taken for "no match".
            default: throw TooCostly()
            }
        }

        /// The character behind an empty match.
        private static func next(
            _ text: UnsafeRawBufferPointer,
            _ line: Range<Int>,
            behind position: Int
        ) -> Int {
            var next = position + 1
            while next < line.count, text[line.lowerBound + next] & 0xc0 == 0x80 { next += 1 }
            return next
        }
    }
}
