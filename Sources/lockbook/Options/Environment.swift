import Glibc

/// The variables that the program looks at; one that is set to nothing is not set.
enum Environment {
    static subscript(name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}
