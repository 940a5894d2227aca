import ArgumentParser
import Glibc

/// A day, a minute of it, or how long ago: `2026-01-31`, `2026-01-31 09:05`, `today`, `12h`.
struct Moment: ExpressibleByArgument {
    /// Since 1970.
    let milliseconds: Int64

    init?(argument: String) {
        if let span = TimeSpan(argument: argument) {
            milliseconds = Int64(time(nil)) * 1_000 - span.milliseconds
        } else if let seconds = Self.seconds(argument) {
            milliseconds = Int64(seconds) * 1_000
        } else {
            return nil
        }
    }

    /// As the clock on the wall has it; nil for a day that no month has, or no such text.
    private static func seconds(_ text: String) -> time_t? {
        if text == "today" { return midnight(daysAgo: 0) }
        if text == "yesterday" { return midnight(daysAgo: 1) }
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) {
            $0 == " " || $0 == "T"
        }
        guard let date = numbers(halves[0], "-", digits: [4, 2, 2]),
            let clock = halves.count == 1 ? [0, 0] : numbers(halves[1], ":", digits: [2, 2]),
            (1...12).contains(date[1]), (1...31).contains(date[2]),
            (0...23).contains(clock[0]), (0...59).contains(clock[1])
        else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (date[0] - 1900, date[1] - 1, date[2])
        (parts.tm_hour, parts.tm_min) = (clock[0], clock[1])
        // Whether summer time holds then is not said.
        parts.tm_isdst = -1
        let seconds = mktime(&parts)
        return parts.tm_mday == date[2] ? seconds : nil
    }

    private static func numbers(_ text: Substring, _ separator: Character, digits: [Int]) -> [CInt]?
    {
        let pieces = text.split(separator: separator, omittingEmptySubsequences: false)
        guard pieces.map(\.count) == digits, text.allSatisfy({ $0.isASCII }) else { return nil }
        let numbers = pieces.compactMap { $0.allSatisfy(\.isNumber) ? CInt($0) : nil }
        return numbers.count == digits.count ? numbers : nil
    }

    private static func midnight(daysAgo: Int32) -> time_t? {
        var now = time(nil)
        var parts = tm()
        guard localtime_r(&now, &parts) != nil else { return nil }
        (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (0, 0, 0, -1)
        parts.tm_mday -= daysAgo
        return mktime(&parts)
    }
}
