import Glibc
import LockbookModel

extension Timestamp {
    /// A moment as exports write it: `2021-10-02T16:38:20.381Z`, with or without the fraction, with
    /// `Z`, `+0200` or `+02:00` at the end.
    /// - Returns: nil for anything else.
    init?(exported text: some StringProtocol) {
        var rest = Array(text.utf8)[...]
        func number(_ count: Int, until end: UInt8? = nil) -> Int32? {
            guard rest.count >= count else { return nil }
            var value: Int32 = 0
            for byte in rest.prefix(count) {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int32(byte - 0x30)
            }
            rest = rest.dropFirst(count)
            if let end { guard rest.popFirst() == end else { return nil } }
            return value
        }
        let dash = UInt8(ascii: "-")
        let colon = UInt8(ascii: ":")
        guard let year = number(4, until: dash), let month = number(2, until: dash),
            let day = number(2, until: UInt8(ascii: "T")), let hour = number(2, until: colon),
            let minute = number(2, until: colon), let second = number(2)
        else { return nil }
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        var milliseconds: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count + 1)
            for digit in (Array(digits) + [0x30, 0x30, 0x30]).prefix(3) {
                milliseconds = milliseconds * 10 + Int64(digit - 0x30)
            }
        }
        var offset: Int64 = 0
        switch rest.popFirst() {
        case nil, UInt8(ascii: "Z"): break
        case let sign? where sign == UInt8(ascii: "+") || sign == dash:
            guard let hours = number(2) else { return nil }
            if rest.first == colon { rest = rest.dropFirst() }
            guard let minutes = number(2) else { return nil }
            offset = Int64(hours * 60 + minutes) * 60 * (sign == dash ? -1 : 1)
        default: return nil
        }
        guard rest.isEmpty else { return nil }
        var fields = tm()
        fields.tm_year = year - 1_900
        fields.tm_mon = month - 1
        fields.tm_mday = day
        fields.tm_hour = hour
        fields.tm_min = minute
        fields.tm_sec = second
        self.init(milliseconds: (Int64(timegm(&fields)) - offset) * 1_000 + milliseconds)
    }
}

extension Timestamp {
    /// As `2021-10-02T16:38:20Z`.
    var exported: String {
        var seconds = time_t(milliseconds / 1_000)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        func digits(_ value: Int32, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return digits(fields.tm_year + 1_900, 4) + "-" + digits(fields.tm_mon + 1, 2) + "-"
            + digits(fields.tm_mday, 2) + "T" + digits(fields.tm_hour, 2) + ":"
            + digits(fields.tm_min, 2) + ":" + digits(fields.tm_sec, 2) + "Z"
    }
}
