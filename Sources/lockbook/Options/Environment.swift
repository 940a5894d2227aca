import Glibc

/// The variables that the program looks at; one that is set to nothing is not set.
enum Environment {
    static subscript(name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// Refuses names of folders that are not UTF-8: what was decoded all the same would be the name of
    /// another one, and the same for two.
    static func requirePlaces(_ names: String...) throws {
        for name in names {
            guard let value = getenv(name), String(validatingCString: value) == nil else {
                continue
            }
            throw CommandError.notUTF8Folder(variable: name)
        }
    }
}
