/// What can go wrong in the program itself; the engine has its own.
enum CommandError: Error {
    /// Not even the program's name.
    case noArguments
    case notUTF8(argument: Int)
    /// A line of the shell; of a script with its number.
    case lineNotUTF8(number: Int?)
    /// The name of a folder in the environment.
    case notUTF8Folder(variable: String)
    /// What it should be.
    case emptyArgument(String)
    /// In a line of the shell; an argument ends before one.
    case zeroByte
    case generatedCompletions
    case unknownShell(String)
    case noHome
    /// What stands in the configuration file cannot be meant.
    case badSetting(file: String, line: Int, reason: String, hint: String?)
    case unreadableSettings(file: String, reason: String)
    case unknownProfile(String, file: String, near: String?)
    case unknownSetting(String, near: String?)
    /// A library that only some commands load.
    case missingLibrary(String, purpose: String, package: String)
    /// An account could not be brought here: its server does not answer.
    case notImported(String, isServerNamed: Bool)
    /// The address of a server was not taken: it has no such account.
    case notAtServer(String)
    case tooNarrow(columns: Int, needed: Int)
    /// The question was answered with no.
    case declined(String)
    /// Nobody is there to ask whether this is to be gone for good.
    case unforced(String, otherwise: String)
    /// Texts whose editing was cut off would be lost.
    case cutOffEditing(count: Int)
    /// The same of one that is in an editor now.
    case openEditing
    /// Nobody is there to ask whether to follow the server back.
    case unacceptedRollback
    /// The document that was changed last was asked for, and there is none.
    case noDocument
    case nothingToJot
    /// Nothing has the name behind what is searched for.
    case noPlaceToSearch(String, words: String)
    /// Not UTF-8.
    case inputNoText
    /// UTF-8, with zero bytes.
    case inputWithZeros
    /// The clock shows no date.
    case noDate
    case output(reason: String)
    /// All was done, and what became of it could not be shown: what doing it again would mean.
    case unshown(reason: String, hint: String)
    case input(reason: String)
    case privateFolder(reason: String)
    /// The editor failed, and emptied the text or not.
    case editor(status: Int32, stored: Bool, emptied: Bool, kept: String?, beside: LeftBeside?)
    /// The editor took its file away.
    case editorLeftNothing(beside: LeftBeside?)
    /// What an editing that was cut off had saved is stored, if that was anything, and there is more
    /// beside it.
    case editorLeftMore(LeftBeside, about: String, stored: Bool)
    /// Something that is no file stands where the text was.
    case editorLeft(String, in: String)
    /// The editor's command returned, and a process of it still has the text.
    case editorGoesOn(kept: String)
    /// The account went while the editor was open; the folder of what was written, if anything was.
    case accountRemoved(kept: String?)
    /// The text was edited and could not be stored.
    case notStored(any Error, kept: String, isRescued: Bool)
    /// It is stored, with both versions in this many places.
    case conflicts(path: String, count: Int)
    /// It was changed meanwhile and is no text; what was edited is stored at the other path.
    case savedBeside(path: String, other: String)
    /// It may not be changed any more; what was edited is a document of one's own.
    case keptOwn(path: String, isGone: Bool)
    /// Which side of a conflict stays has to be said.
    case undecided(String)
    /// The markers are still in it.
    case stillInConflict(String)
    /// A side was chosen, and in this many places it is not known.
    case placesLeft(String, count: Int)
    /// The rest was done; each of these was told already.
    case partial(count: Int, isDryRun: Bool = false, hint: String? = nil)
    /// All of an export is there; why the next one will not know that was told already.
    case unremembered
    case unsound(count: Int)
    /// Nothing is left to say.
    case told(Status)
}

/// What was typed makes no sense to the parser.
struct UsageError: Error {
    var message: String
    var hint: String
}
