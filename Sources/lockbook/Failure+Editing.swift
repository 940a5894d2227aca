extension Failure {
    /// What an editor left undone, or what became of the text that was written in it.
    init(editing error: CommandError) {
        switch error {
        case .editor(let status, let stored, let emptied, let kept, let beside):
            let text = kept.map { "`lockbook edit --rescue` stores it; your text is in \($0)" }
            let hints = [text, beside?.hint].compactMap(\.self)
            let left =
                stored ? ", the empty text that it left is not" : " of the empty text that it left"
            // Ctrl-C at an editor that does not take it, which gives up whatever the program is part of.
            let isInterrupted = status == Status.interrupted.rawValue
            self.init(
                isInterrupted ? .interrupted : .failed,
                (isInterrupted
                    ? "the editor was interrupted; " : "the editor failed with status \(status); ")
                    + (stored ? "what it saved before is stored" : "nothing was stored")
                    + (emptied ? left : ""),
                hint: hints.isEmpty ? nil : hints.joined(separator: "; ")
            )
        case .editorLeftNothing(let beside):
            self.init(
                .failed,
                "the editor removed its file; nothing was stored of it",
                hint: beside?.hint
            )
        case .editorLeftMore(let beside, let path, let stored):
            self.init(
                .failed,
                stored
                    ? "the text of \(path) is stored, and the editor left more beside it"
                    : "the editor had saved nothing of \(path), and left what it had beside it",
                hint: beside.hint
            )
        case .editorLeft(let what, let folder):
            self.init(
                .store,
                "\(what) stands where the editor's text was; nothing was stored of it",
                hint: "look into \(folder) for the text: as a file under the old name, "
                    + "`lockbook edit --rescue` stores it; `lockbook edit --discard` throws it "
                    + "away"
            )
        case .editorGoesOn(let kept):
            self.init(
                .failed,
                "the editor goes on in the background; what it saves from now on is not stored",
                hint: "when it is closed, `lockbook edit --rescue` stores it; your text is in "
                    + "\(kept). Most editors have a way to be waited for, such as --wait"
            )
        case .accountRemoved(let kept):
            self.init(
                .store,
                "the account was removed from this device while the editor was open; nothing is "
                    + "stored",
                hint: kept.map {
                    "what was written is in \($0); take from it what you need, and remove it"
                }
            )
        case .notStored(let error, let kept, let isRescued):
            self.init(error)
            // What has just failed is no advice.
            hint =
                isRescued
                ? "your text is in \(kept); `lockbook write PATH <\(shellWord(kept))` stores it "
                    + "elsewhere, `lockbook edit --discard` throws it away"
                : "`lockbook edit --rescue` stores it; your text is in \(kept)"
        case .conflicts(let path, let conflicts):
            self.init(
                .conflict,
                "\(path) holds both versions in \(count(conflicts, "place")), between markers",
                hint: "`lockbook edit \(commandWord(path))` to choose"
            )
        case .savedBeside(let path, let other):
            self.init(
                .conflict,
                "\(path) was changed meanwhile and cannot be merged; what you wrote is in \(other)"
            )
        case .keptOwn(let path, let isGone):
            let reason =
                isGone
                ? "the place of this document is not reached any more"
                : "you may not change this document any more"
            self.init(.conflict, "\(reason); what you wrote is in \(path), yours alone")
        default:
            self.init(.failed, Self.unexpected(error))
        }
    }
}

extension LeftBeside {
    /// Where it is, and what to do with it.
    var hint: String {
        // Vim's are no texts, and vim asks for the text that they belong to.
        if let swap = names.first(where: { $0.hasSuffix(".swp") }) {
            return "`vim -r \(shellWord("\(folder)/\(swap)"))` shows what it is: write that "
                + "elsewhere with :w; `lockbook edit --discard` throws away the rest"
        }
        return
            "the editor left \(names.joined(separator: ", ")) in \(folder): take from it what you miss; "
            + "`lockbook edit --discard` throws away the rest"
    }
}
