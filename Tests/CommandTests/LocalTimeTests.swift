import Testing

@testable import lockbook

/// Times of records, which may say anything.
struct LocalTimeTests {
    @Test(
        arguments: [
            Int64.min, -62_200_000_000_000, -62_135_596_800_000, 0, 253_402_300_799_999,
            253_402_400_000_000, 8_000_000_000_000_000, Int64.max,
        ]
    )
    func `a time has the same width whatever a record says`(milliseconds: Int64) {
        #expect(localDay(milliseconds: milliseconds).count == "2026-01-31".count)
        #expect(localTime(milliseconds: milliseconds).count == "2026-01-31 09:05".count)
        #expect(localSecond(milliseconds: milliseconds).count == "2026-01-31 09:05:07".count)
    }

    @Test(
        arguments: [
            (253_402_400_000_000, "9999"), (Int64.max, "9999"), (Int64.min, "0000"),
            (-50_000_000_000_000, "0385"), (1_700_000_000_000, "2023"),
        ]
    )
    func `a time beyond the years of four digits is the first or the last of them`(
        milliseconds: Int64,
        year: String
    ) {
        #expect(localDay(milliseconds: milliseconds).prefix(4) == year)
    }
}
