import ArgumentParser

/// A number with a unit: minutes, hours, days or weeks.
struct TimeSpan: ExpressibleByArgument, CustomStringConvertible {
    let text: String
    let milliseconds: Int64

    init(days: Int64) {
        text = "\(days)d"
        milliseconds = days * 86_400_000
    }

    init?(argument: String) {
        let units: [Character: Int64] = [
            "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 7 * 86_400_000,
        ]
        guard let unit = argument.last.flatMap({ units[$0] }),
            let number = UInt16(argument.dropLast())
        else { return nil }
        text = argument
        milliseconds = Int64(number) * unit
    }

    var description: String { text }
}
