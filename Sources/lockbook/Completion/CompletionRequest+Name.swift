extension CompletionRequest {
    /// What one of the arguments should be, for who is told that it is empty.
    /// - Parameters:
    ///   - index: where it stands in them.
    ///   - count: the words of the command line in front of them.
    static func name(of index: Int, in arguments: [String], behind count: Int) -> String {
        // As all that names an argument by its number: the first one behind the program's name is 1.
        let numbered = "argument \(count + index + 1)"
        let request = CompletionRequest(
            words: arguments.prefix(index),
            typed: "",
            root: .root,
            folder: ShellFolder()
        )
        if request.optionValue != nil { return "the value of \(arguments[index - 1])" }
        guard request.command.commands.isEmpty else {
            // Behind a word that is no command nobody can say what it was to be.
            return request.given.isEmpty ? "the command" : numbered
        }
        return switch request.command.word(at: request.given.count) {
        case .path, .folder, .disk, .trashed, .purged, .conflict: "the path"
        case .query: "the query"
        case .user, .newUser: "the username"
        case .version: "the version"
        case .offer: "the offer"
        case .name: "the name"
        case .profile: "the profile"
        case .setting: "the setting"
        case .tag: "the tag"
        case .command, .undoable: "the command"
        case .template, .oneOf, .nothing: numbered
        }
    }
}
