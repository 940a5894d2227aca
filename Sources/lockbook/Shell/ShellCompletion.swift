import Glibc

/// What Tab does in the shell; what can follow is what the shells' adapters are told, too.
struct ShellCompletion {
    let change: LineEditor.Change

    /// - Parameter line: up to the cursor.
    init(of line: [UInt8], folder: ShellFolder, root: CommandShape) {
        let parsed = ShellLine(line)
        var words = parsed.words
        let last = parsed.endsInWord ? words.removeLast() : ShellLine.Word(start: line.count)
        var asked = words.map(\.text)
        if asked.first == "lockbook" { asked.removeFirst() }
        var request = CompletionRequest(
            words: asked,
            typed: last.text,
            root: root,
            folder: folder
        )
        let answer = request.answer()
        var found = answer.values.filter { $0.value.utf8.starts(with: last.bytes) }
        if answer.directive == .files || answer.directive == .folders {
            found += DiskNames(typed: last.text, onlyFolders: answer.directive == .folders).values
                .map { ($0, "") }
        }
        guard let common = Self.common(found.map(\.value)) else {
            change = .nothing
            return
        }
        let isWhole = found.count == 1 && answer.directive != .nospace && !common.hasSuffix("/")
        let text =
            ShellLine.quoted(common, in: parsed.openQuote, isWhole: isWhole) + (isWhole ? " " : "")
        if Array(text.utf8) != Array(line[last.start...]), found.count == 1 || common != last.text {
            change = .replace(from: last.start, with: text)
        } else {
            change = found.count == 1 ? .nothing : .list(found.map(Self.shown))
        }
    }

    /// What all of them begin with, in whole characters; nil for none.
    private static func common(_ values: [String]) -> String? {
        guard var common = values.first?.unicodeScalars[...] else { return nil }
        for value in values.dropFirst() {
            let length = zip(common, value.unicodeScalars).prefix { $0 == $1 }.count
            common = common.prefix(length)
        }
        return String(common)
    }

    private static func shown(_ value: String, _ help: String) -> String {
        let bytes = value.utf8
        let isFolder = bytes.last == UInt8(ascii: "/")
        let leaf = bytes.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
        return printable((leaf ?? value) + (isFolder && leaf != nil ? "/" : ""))
            + (help.isEmpty ? "" : "  (\(help))")
    }
}

/// Files of the disk whose paths begin as typed; folders end in a slash.
struct DiskNames {
    private(set) var values: [String] = []

    init(typed: String, onlyFolders: Bool) {
        let bytes = Array(typed.utf8)
        let slash = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        let folder = String(decoding: bytes[..<slash], as: UTF8.self)
        let start = Array(bytes[slash...])
        guard let stream = opendir(folder.isEmpty ? "." : folder) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name.starts(with: start), name != Array(".".utf8), name != Array("..".utf8),
                !start.isEmpty || name.first != UInt8(ascii: "."),
                // What is not UTF-8 cannot be said here.
                let text = String(validating: name, as: UTF8.self)
            else { continue }
            var facts = stat()
            let isFolder = stat(folder + text, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
            if isFolder || !onlyFolders { values.append(folder + text + (isFolder ? "/" : "")) }
        }
        values.sort()
    }
}
