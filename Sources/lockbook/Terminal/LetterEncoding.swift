import Glibc

/// How the C library reads letters: names are UTF-8, whatever the machine says of its locale.
enum LetterEncoding {
    /// A part of the C library itself, and of no language.
    private static let locale = "C.UTF-8"

    /// These are two characters; in any other encoding the six bytes are more, or none.
    private static var isUTF8: Bool { mbstowcs(nil, "\u{e9}\u{1f642}", 0) == 2 }

    /// Does what takes the locale from the environment by itself, where it stands in UTF-8 meanwhile.
    static func inEnvironment(_ body: () -> Void) {
        setlocale(LC_CTYPE, "")
        guard !isUTF8 else { return body() }
        // What is started later has what the user said.
        let former = Environment["LC_ALL"]
        setenv("LC_ALL", locale, 1)
        body()
        if let former { setenv("LC_ALL", former, 1) } else { unsetenv("LC_ALL") }
        setlocale(LC_CTYPE, locale)
    }
}
