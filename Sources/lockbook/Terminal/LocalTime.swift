import Glibc

/// A moment as the clock on the wall shows it: `2026-01-31 09:05`.
func localTime(milliseconds: Int64) -> String {
    localTime(milliseconds, "%Y-%m-%d %H:%M")
}

/// The same with its second: `2026-01-31 09:05:07`.
func localSecond(milliseconds: Int64) -> String {
    localTime(milliseconds, "%Y-%m-%d %H:%M:%S")
}

/// Its day: `2026-01-31`.
func localDay(milliseconds: Int64) -> String {
    localTime(milliseconds, "%Y-%m-%d")
}

private func localTime(_ milliseconds: Int64, _ format: String) -> String {
    var seconds = time_t(milliseconds.quotientAndRemainder(dividingBy: 1000).quotient)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return "-" }
    var text = [CChar](repeating: 0, count: 32)
    let length = strftime(&text, text.count, format, &parts)
    return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// A number of bytes in the largest unit that leaves a digit in front: `12.3 MB`.
func byteCount(_ bytes: UInt64) -> String {
    guard bytes >= 1000 else { return "\(bytes) B" }
    var value = Double(bytes)
    var unit = -1
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    while value >= 999.95, unit < units.count - 1 {
        value /= 1000
        unit += 1
    }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
}

/// A number and what is counted: `1 note`, `2 notes`.
func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
}
