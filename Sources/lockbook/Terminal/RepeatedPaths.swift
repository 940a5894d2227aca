/// Paths that several in a list have: on a terminal an id says which one is meant.
struct RepeatedPaths {
    private let repeated: Set<String>

    init(_ paths: [String]) {
        var seen: Set<String> = []
        repeated = Set(paths.filter { !seen.insert($0).inserted })
    }

    /// A path with the beginning of the id, where another one has that path, too.
    /// - Parameter shown: the path as it is shown; into a pipe it stays as it is.
    func told(_ path: String, _ id: String, shown: String? = nil) -> String {
        let shown = shown ?? path
        guard Terminal.outputIsTerminal, repeated.contains(path) else { return shown }
        return "\(shown) (id:\(id.prefix(12)))"
    }
}
