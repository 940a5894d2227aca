import Glibc

/// The columns that a help text is laid out for.
enum HelpWidth {
    /// In fewer columns than these the terminal folds the lines.
    ///
    /// The parser puts explanations into a column of their own, and breaks off where there is no
    /// room for that.
    private static let least = 60

    /// Called when there is nothing left but to show something.
    static func makeRoom() {
        var width = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
        var size = winsize()
        if width == nil, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            width = Int(size.ws_col)
        }
        if let width, width < least { setenv("COLUMNS", String(least), 1) }
    }
}
