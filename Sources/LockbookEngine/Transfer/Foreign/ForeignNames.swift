import LockbookModel

/// Gives items of exports their places: titles may be anything, and the same.
///
/// An item stays where an earlier import put it. A name that anything else has gets a number, be it
/// of another export or the user's own.
struct ForeignNames {
    private let store: LocalStore
    private(set) var folders: ForeignFolders
    /// Whether the target is not there yet.
    private let isNew: Bool
    private let memory: ForeignMemory
    /// Where items are, below the target, by their ids.
    private var places: [String: [FileName]] = [:]
    private var taken: Set<[UInt8]> = []
    /// The last number that a name got: thousands may have the same title, or none.
    private var numbers: [[UInt8]: Int] = [:]
    private var repeats: [String: Int] = [:]

    /// - Parameter isNew: whether the target is not there yet.
    init(_ memory: ForeignMemory, at target: [FileName], in store: LocalStore, isNew: Bool) {
        (self.store, self.isNew, self.memory) = (store, isNew, memory)
        folders = ForeignFolders(memory, at: target, in: store)
        for item in memory.items.values { taken.insert(Self.place(item.path)) }
    }

    /// An id that none had before: every TextBundle of one command is a note of its own.
    mutating func id(_ wanted: String) -> String {
        let count = repeats[wanted, default: 0]
        repeats[wanted] = count + 1
        return count == 0 ? wanted : "\(wanted)\u{0}\(count)"
    }

    /// Where an item is that is known from here or from an earlier import.
    func known(_ id: String) -> [FileName]? { places[id] ?? memory.items[id]?.path }

    /// Where an item goes, below the target.
    /// - Parameters:
    ///   - title: what is left out of it cannot be in a name.
    ///   - ending: with its dot; empty when the title has it.
    ///   - created: what a note says that was made of it; nil for a folder or where it is not known.
    mutating func path(
        of id: String,
        _ title: String,
        ending: String = "",
        in folder: [FileName],
        created: Timestamp? = nil,
        isFolder: Bool = false
    ) throws -> [FileName] {
        if let place = places[id] { return place }
        if let item = memory.items[id] {
            let isThere = try item.file.map { file in try store.read { try $0.isLive(file.id) } }
            if try isThere == true || !isHeld(item.path, created, isFolder) {
                places[id] = item.path
                return item.path
            }
        }
        let wanted = Self.plain(title, ending: ending)
        let first = Self.place(folder + [wanted])
        var path = folder + [wanted]
        while try taken.contains(Self.place(path)) || isHeld(path, created, isFolder) {
            numbers[first, default: 0] += 1
            path = folder + [wanted.numbered(numbers[first, default: 0])]
        }
        taken.insert(Self.place(path))
        places[id] = path
        return path
    }

    /// Whether something stands in a place that no import made of what goes there.
    ///
    /// Where nothing is remembered, a note counts as made of an item that was made when that was;
    /// nothing of it is replaced because of that alone.
    private mutating func isHeld(
        _ path: [FileName],
        _ created: Timestamp?,
        _ isFolder: Bool
    ) throws -> Bool {
        // Nothing can stand where something is to go.
        guard !isNew || !folders.isEmpty else { return false }
        let path = try folders.path(of: path)
        return try store.read { tree in
            guard let row = try tree.standing(at: path) else { return false }
            guard row.type == .document, !isFolder, !row.isDamaged else {
                return row.type != .folder || !isFolder
            }
            guard let created else { return false }
            return try tree.file(row).created != created
        }
    }

    /// A path as paths are compared.
    private static func place(_ path: [FileName]) -> [UInt8] {
        Array(path.map(\.normalized).joined(separator: [0x2f]))
    }

    /// The title without what a name cannot have, cut to fit.
    static func plain(_ title: String, ending: String = "") -> FileName {
        var text = ""
        for scalar in title.unicodeScalars {
            switch scalar.value {
            case 0x2f: text += "-"
            case 0..<0x20, 0x7f..<0xa0: text += " "
            default: text.unicodeScalars.append(scalar)
            }
        }
        let most = FileName.maximumByteCount - ending.utf8.count
        text = String(text.unicodeScalars.drop { $0 == " " }.prefix(most))
        // A title that begins with a dot would be hidden.
        if text.unicodeScalars.first == "." { text = "_" + String(text.unicodeScalars.dropFirst()) }
        while text.utf8.count > most { text.unicodeScalars.removeLast() }
        while text.last == " " { text.removeLast() }
        if text.isEmpty { text = "Untitled" }
        do {
            return try FileName(text + ending)
        } catch {
            preconditionFailure("made to be a name")
        }
    }

    /// From the folder of one file to another one, as a Markdown link has it.
    static func link(from folder: [FileName], to path: [FileName]) -> String {
        let common = zip(folder, path.dropLast()).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: folder.count - common)
        let down = path.dropFirst(common).map { encoded($0.text) }
        return (up + down).joined(separator: "/")
    }

    /// What means something in Markdown or in an address, by its code; letters of all scripts stay.
    static func encoded(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isPlain =
                scalar.value >= 0x80
                && !scalar.properties.isWhitespace
                || ("0"..."9").contains(scalar) || ("a"..."z").contains(scalar)
                || ("A"..."Z").contains(scalar) || "-._~/+,=@!&;".unicodeScalars.contains(scalar)
            if isPlain {
                result.unicodeScalars.append(scalar)
            } else {
                for byte in String(scalar).utf8 {
                    let digits = String(byte, radix: 16, uppercase: true)
                    result += "%" + (digits.count < 2 ? "0" : "") + digits
                }
            }
        }
        return result
    }
}
