import LockbookModel

extension Lockbook {
    /// What a half-typed path may become: the files of its folder whose names begin like its end.
    /// - Parameter isLoose: whether their names only hold what is typed of theirs, in its order and
    ///   with other letters between; capitals count when one is typed.
    /// - Returns: whole paths as the user began them; folders end in a slash.
    public func completions(of partial: String, isLoose: Bool = false) throws
        -> [(value: String, isFolder: Bool)]
    {
        let end = partial.utf8.lastIndex(of: UInt8(ascii: "/")) ?? partial.startIndex
        return try across(FileReference(String(partial[..<end]))) {
            try completionsHere(of: partial, isLoose)
        } there: { place -> [(value: String, isFolder: Bool)] in
            let folder = place.reference.text
            let found = try place.lockbook.completionsHere(
                of: folder + partial[end...],
                isLoose
            )
            return found.map { value, isFolder in
                (String(partial[..<end]) + value.behind(folder), isFolder)
            }
        }
    }

    private func completionsHere(of partial: String, _ isLoose: Bool) throws
        -> [(value: String, isFolder: Bool)]
    {
        // By bytes: a character may be a slash and the mark that combines with it.
        let bytes = Array(partial.utf8)
        let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
        let folder = String(decoding: bytes[..<(slash.map { $0 + 1 } ?? 0)], as: UTF8.self)
        return try store.read { tree in
            let row: FileRow
            do { row = try tree.find(FileReference(folder)) } catch let error as CrossesLink {
                let slash = error.rest.endsWithSlash ? 1 : 0
                throw CrossesLink(
                    target: error.target,
                    link: error.link,
                    rest: String(Substring(error.rest.utf8.dropLast(slash)))
                )
            } catch let error where error.isUnknownID {
                // It may be that of what others share.
                throw error
            } catch { return [] }
            if let crossing = try tree.crossing(row) { throw crossing }
            guard row.type == .folder else { return [] }
            let wanted = bytes[(slash.map { $0 + 1 } ?? 0)...]
            // Sorted as bytes: in the order of code points, and without making a thousand strings twice.
            let names = try tree.names(in: row.id, beginningWith: isLoose ? [] : wanted)
            return names.filter { !isLoose || Self.holds($0.bytes, wanted) }
                .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
                .map { name in
                    let isFolder = name.type != .document
                    let text = String(decoding: name.bytes, as: UTF8.self)
                    return (folder + text + (isFolder ? "/" : ""), isFolder)
                }
        }
    }

    /// Whether the letters of a word are among those of a name, in their order.
    private static func holds(_ name: ArraySlice<UInt8>, _ word: ArraySlice<UInt8>) -> Bool {
        func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte + 0x20 : byte }
        let isExact = word.contains { (0x41...0x5a).contains($0) }
        var rest = word
        for byte in name {
            guard let first = rest.first else { return true }
            if first == (isExact ? byte : lower(byte)) { rest = rest.dropFirst() }
        }
        return rest.isEmpty
    }
}
