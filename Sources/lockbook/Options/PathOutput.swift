import ArgumentParser

/// How commands show what they list: a path a line, with NUL, or as JSON.
struct PathOutput: ParsableArguments {
    @Flag(help: "Show everything as JSON.")
    var json = false

    @Flag(name: [.customShort("0"), .customLong("null")], help: "End each path with NUL.")
    var null = false

    func validate() throws {
        guard !(json && null) else { throw ValidationError("--json and --null exclude each other") }
    }

    /// - Parameters:
    ///   - path: where one of them is.
    ///   - line: what is shown to a person; the path alone without it.
    func show<Listed: Encodable>(
        _ listed: [Listed],
        path: (Listed) -> String,
        line: ((Listed) -> String)? = nil
    ) throws {
        if json {
            try Terminal.show(json: listed)
        } else if null {
            try Terminal.show(lines: listed.map(path), endingIn: "\0")
        } else {
            try Terminal.show(lines: listed.map { line?($0) ?? path($0) })
        }
    }
}
