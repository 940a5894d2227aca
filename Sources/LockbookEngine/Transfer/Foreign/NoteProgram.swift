/// A program for notes whose files an import understands; `docs/IMPORT.md` says what of them.
public enum NoteProgram: String, Sendable, CaseIterable {
    /// A vault: a folder of Markdown with `.obsidian` in it.
    case obsidian
    /// A JEX file, or a folder of the same items ("RAW").
    case joplin
    /// A decrypted backup: the text file, or the zip that holds it.
    case standardNotes = "standard-notes"
    /// A backup (`.bear2bk`, `.bearbk`), a `.textpack`, or a folder that is or holds TextBundles.
    case bear

    /// As people call it.
    public var name: String {
        switch self {
        case .obsidian: "Obsidian"
        case .joplin: "Joplin"
        case .standardNotes: "Standard Notes"
        case .bear: "Bear"
        }
    }

    /// The program that a file or folder of the disk looks as if it came from.
    public static func guess(_ path: String) -> NoteProgram? {
        let name = (path.steps.last ?? "").lowercased()
        let endings: [(String, NoteProgram)] = [
            (".jex", .joplin), (".bear2bk", .bear), (".bearbk", .bear), (".textpack", .bear),
            (".textbundle", .bear), ("standard notes backup and import file.txt", .standardNotes),
        ]
        if let found = endings.first(where: { name.hasSuffix($0.0) }) { return found.1 }
        return Disk.exists(path + "/.obsidian") ? .obsidian : nil
    }
}
