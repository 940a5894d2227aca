import CQREncode
import Glibc

/// A text as a square of dark and light modules, drawn with half blocks: two modules a character.
struct QRCode {
    let lines: [String]
    private static let library = "libqrencode.so.4"
    /// Light modules all around, as the standard wants them.
    private static let margin = 4

    /// - Parameters:
    ///   - text: upper case, digits and a few signs take less room than anything else.
    ///   - isColoured: black on white whatever the terminal's colours are; else light modules are
    ///     what is drawn, as it has to be on a dark background.
    /// - Throws: `.missingLibrary`, `.tooNarrow` when the terminal has not the columns for it.
    init(_ text: String, isColoured: Bool, columns: Int?) throws {
        guard let library = dlopen(Self.library, RTLD_NOW),
            let encode = dlsym(library, "QRcode_encodeString"),
            let release = dlsym(library, "QRcode_free")
        else {
            throw CommandError.missingLibrary(
                Self.library,
                purpose: "draws QR codes",
                package: "libqrencode4"
            )
        }
        let make = unsafeBitCast(encode, to: qrencode_encode_string.self)
        guard let code = make(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else {
            throw CommandError.output(reason: "the text is too long for a QR code")
        }
        defer { unsafeBitCast(release, to: qrencode_free.self)(code) }
        let width = Int(code.pointee.width)
        let full = width + 2 * Self.margin
        if let columns, columns < full {
            throw CommandError.tooNarrow(columns: columns, needed: full)
        }
        let data = code.pointee.data
        func isDark(_ row: Int, _ column: Int) -> Bool {
            let (row, column) = (row - Self.margin, column - Self.margin)
            guard (0..<width).contains(row), (0..<width).contains(column), let data else {
                return false
            }
            return data[row * width + column] & 1 == 1
        }
        lines = stride(from: 0, to: full, by: 2).map { row in
            let drawn = (0..<full).map { column in
                // Below the last row there is nothing, which is as good as light.
                let (upper, lower) = (isDark(row, column), isDark(row + 1, column))
                switch (isColoured ? !upper : upper, isColoured ? !lower : lower) {
                case (false, false): return "█"
                case (false, true): return "▀"
                case (true, false): return "▄"
                case (true, true): return " "
                }
            }.joined()
            return isColoured ? "\u{1b}[38;5;16;48;5;231m\(drawn)\u{1b}[0m" : drawn
        }
    }
}
