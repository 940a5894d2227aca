import ArgumentParser

/// A number with a unit: minutes, hours, days or weeks.
struct TimeSpan: ExpressibleByArgument, CustomStringConvertible {
    let text: String
    /// As much as the number can hold, for more than that.
    let milliseconds: Int64

    init(days: Int64) {
        text = "\(days)d"
        milliseconds = days * 86_400_000
    }

    init?(argument: String) {
        let units: [Character: Int64] = [
            "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 7 * 86_400_000,
        ]
        let digits = argument.dropLast()
        guard let unit = argument.last.flatMap({ units[$0] }), !digits.isEmpty,
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        text = argument
        let (product, isTooMuch) = (Int64(digits) ?? .max).multipliedReportingOverflow(by: unit)
        milliseconds = isTooMuch ? .max : product
    }

    var description: String { text }
}
