/// A command as completion knows it.
///
/// This repeats what the parser knows, since to ask the parser costs more time than a key press
/// has; a test holds the two against each other.
struct CommandShape {
    /// What a word of the line can be.
    enum Word {
        case nothing
        /// What to search for, or letters of it.
        case query
        case path
        case folder
        case disk
        /// Where a deleted file stood.
        case trashed
        /// Such a place, or a folder in which something was deleted.
        case purged
        /// What a merge could not decide.
        case conflict
        /// An account that this device has met.
        case user
        /// The name of an account that is to be.
        case newUser
        /// A version of the document before it.
        case version
        /// A command that can be taken back.
        case undoable
        /// What others offer.
        case offer
        case oneOf([String])
        case command
        /// The name that the file before it has.
        case name
        /// A section of the configuration file, and a key of it.
        case profile, setting
        /// A tag of some note.
        case tag
        /// A document of the folder of templates.
        case template
    }

    struct Option {
        var names: [String]
        var help: String
        var value: Word?

        init(_ names: String..., help: String, value: Word? = nil) {
            self.names = names
            self.help = help
            self.value = value
        }
    }

    var names: [String]
    var abstract: String
    var options: [Option] = []
    /// One for each position; the last one goes on when the command takes many.
    var words: [Word] = []
    var takesMany = false
    var commands: [CommandShape] = []
    /// Whether the first of its commands is meant where none is named.
    var meansFirst = false

    init(
        _ names: String...,
        abstract: String,
        options: [Option] = [],
        words: [Word] = [],
        many: Bool = false,
        commands: [CommandShape] = [],
        meansFirst: Bool = false
    ) {
        self.names = names
        self.abstract = abstract
        self.options = options
        self.words = words
        self.takesMany = many
        self.commands = commands
        self.meansFirst = meansFirst
    }

    /// The command that a line begins with, as far as its words are commands.
    static func named(by words: some Sequence<String>) -> CommandShape {
        var shape = root
        for word in words {
            guard let next = shape.commands.first(where: { $0.names.contains(word) }) else { break }
            shape = next
        }
        return shape
    }

    /// Those that it takes where none of its commands is named.
    var optionsAlone: [Option] {
        options + (meansFirst ? commands.first?.options ?? [] : [])
    }

    func word(at position: Int) -> Word {
        if position < words.count { return words[position] }
        return takesMany ? words.last ?? .nothing : .nothing
    }

    /// What the words behind an option's are, where it has no value in its own word.
    ///
    /// Letters may stand together: their values follow in that order, unless the first one takes the rest,
    /// or the rest is a number (`JoinedValue`).
    func values(behind option: String) -> [Word] {
        func value(of name: String) -> Word? {
            options.first { $0.names.contains(name) }?.value
        }
        guard option.hasPrefix("-"), !option.hasPrefix("--"), option.utf8.count > 2 else {
            return value(of: option).map { [$0] } ?? []
        }
        guard JoinedValue.pieces(of: option, for: self).count == 1 else { return [] }
        let values = option.dropFirst().map { value(of: "-\($0)") }
        return values.first.flatMap { $0 } == nil ? values.compactMap { $0 } : []
    }
}
