import Glibc

/// A moment as the clock on the wall shows it: `2026-01-31 09:05`.
///
/// A record may say any time: what is beyond the years 0 to 9999 is shown as their first or last
/// moment, so that columns stay columns.
func localTime(milliseconds: Int64) -> String {
    localTime(milliseconds, "%04Y-%m-%d %H:%M")
}

/// The same with its second: `2026-01-31 09:05:07`.
func localSecond(milliseconds: Int64) -> String {
    localTime(milliseconds, "%04Y-%m-%d %H:%M:%S")
}

/// Its day: `2026-01-31`.
func localDay(milliseconds: Int64) -> String {
    localTime(milliseconds, "%04Y-%m-%d")
}

private func localTime(_ milliseconds: Int64, _ format: String) -> String {
    // The first and the last second of these years in UTC.
    let shown: ClosedRange<Int64> = -62_167_219_200...253_402_300_799
    let asked = milliseconds.quotientAndRemainder(dividingBy: 1000).quotient
    var seconds = time_t(min(max(asked, shown.lowerBound), shown.upperBound))
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return "-" }
    parts.keepWithinFourDigits()
    var text = [CChar](repeating: 0, count: 32)
    let length = strftime(&text, text.count, format, &parts)
    return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

extension tm {
    /// Where the zone carries a time over the edge of the years 0 to 9999, it stays at the edge.
    fileprivate mutating func keepWithinFourDigits() {
        if tm_year > 9999 - 1900 {
            (tm_year, tm_mon, tm_mday) = (9999 - 1900, 11, 31)
            (tm_hour, tm_min, tm_sec) = (23, 59, 59)
        } else if tm_year < -1900 {
            (tm_year, tm_mon, tm_mday) = (-1900, 0, 1)
            (tm_hour, tm_min, tm_sec) = (0, 0, 0)
        }
    }
}
