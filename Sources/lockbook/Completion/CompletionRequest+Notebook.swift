import LockbookEngine

/// What stands in the notebook on this device, as answers.
extension CompletionRequest {
    /// One level of the tree.
    mutating func addPaths(into answer: inout CompletionAnswer, onlyFolders: Bool) {
        let lockbook = open()
        let (asked, prefix) = folder.asked(typed)
        // A command refuses them where they are no steps.
        guard takesSteps || prefix == nil else { return }
        guard var found = try? lockbook?.completions(of: asked) else { return }
        // Asked for again only then, so that a folder of thousands is read once for most keys.
        if found.isEmpty, isLoose, asked.utf8.last != UInt8(ascii: "/") {
            found = (try? lockbook?.completions(of: asked, isLoose: true)) ?? []
        }
        let isBelowID = typed.hasPrefix("id:") && typed.contains("/")
        for (found, isFolder) in found where isFolder || !onlyFolders {
            let value =
                prefix.map { $0.typed + String(Substring(found.utf8.dropFirst($0.asked))) } ?? found
            // A name at the root that would be read as an option or an id gets its slash.
            let looksLikeID = value.hasPrefix("id:") && !isBelowID
            let isMistakable =
                (value.utf8.first == UInt8(ascii: "-") && !optionsEnded && lead.isEmpty)
                || looksLikeID
            let isSlashed = isMistakable && (typed.isEmpty || looksLikeID)
            answer.add((isSlashed ? (folder.path == "/" ? "/" : "./") : "") + value)
        }
    }

    mutating func addTrashed(into answer: inout CompletionAnswer) {
        let lockbook = open()
        // What went with its folder is asked for by whoever types the folder's path.
        let isInside = typed.utf8.dropFirst().contains(UInt8(ascii: "/"))
        // What is there may have the name of what was deleted.
        let there = Set(answer.values.map(\.value))
        for file in (try? lockbook?.trash(isRecursive: isInside)) ?? []
        where !there.contains(file.path) && !there.contains(String(file.path.dropFirst())) {
            addKnown(file.path, into: &answer)
        }
    }

    mutating func addConflicts(into answer: inout CompletionAnswer) {
        let lockbook = open()
        for conflict in (try? lockbook?.conflicts()) ?? [] {
            addKnown(conflict.path, into: &answer)
        }
    }

    /// Whether what is typed is a path with its first slash, which may be left out, or nothing yet.
    private var isRooted: Bool { typed.utf8.first == UInt8(ascii: "/") || typed.isEmpty }

    /// A path with its first slash, or as it is called from here where the user left that out.
    private func addKnown(_ path: String, into answer: inout CompletionAnswer) {
        guard let path = isRooted ? path : folder.relative(path) else { return }
        if path.utf8.starts(with: typed.utf8) { answer.add(path) }
    }

    mutating func addVersions(into answer: inout CompletionAnswer) {
        let lockbook = open()
        let document = given.last.map { FileReference(folder.absolute($0)) }
        let versions = document.flatMap { try? lockbook?.versionsHere($0) } ?? []
        for version in versions where version.version.hasPrefix(typed) {
            answer.add(version.version, description: localTime(milliseconds: version.time))
        }
    }

    mutating func addTemplates(into answer: inout CompletionAnswer) {
        let lockbook = open()
        for file in (try? lockbook?.list(.path(NoteTemplate.folder), recursive: false)) ?? []
        where file.type == .document {
            let name = file.name.hasSuffix(".md") ? String(file.name.dropLast(3)) : file.name
            if name.utf8.starts(with: typed.utf8) { answer.add(name) }
        }
    }

    mutating func addTags(into answer: inout CompletionAnswer) {
        let lockbook = open()
        let isMarked = typed.hasPrefix("#")
        for tag in (try? lockbook?.tags().found) ?? [] {
            let word = (isMarked ? "#" : "") + tag.tag
            let start = word.prefix(typed.count)
            // Capitals do not count: what is typed stays as it is, or bash would lose it.
            if start.lowercased() == typed.lowercased() {
                let spelled = typed + word.dropFirst(typed.count)
                answer.add(spelled, description: count(tag.documents, "document"))
            }
        }
    }

    mutating func addUndoable(into answer: inout CompletionAnswer) {
        for command in (try? open()?.commands(telling: 1)) ?? []
        where command.isOpen && command.name.hasPrefix(typed) {
            answer.add(command.name, description: command.summary)
        }
    }

    mutating func addUsers(into answer: inout CompletionAnswer) {
        for name in (try? open()?.contacts()) ?? [] where name.hasPrefix(typed) {
            answer.add(name)
        }
    }

    /// Offers by their owners and names; by their ids where one is typed, or no name says which.
    mutating func addOffers(into answer: inout CompletionAnswer) {
        let offers = (try? open()?.offers()) ?? []
        func spelled(_ offer: ShareOffer) -> String { "\(offer.from)/\(offer.name)" }
        let named = Dictionary(grouping: offers, by: spelled)
        for offer in offers {
            let name = spelled(offer)
            let isClear = named[name]?.count == 1 && !isDeceptive(name)
            if isClear, name.utf8.starts(with: typed.utf8) {
                let mode = offer.transfer ? "transfer" : offer.mode.rawValue
                answer.add(name, description: "\(mode), \(offer.id)")
            }
            if offer.id.hasPrefix(typed), !isClear || !typed.isEmpty {
                answer.add(offer.id, description: "\(offer.from): \(offer.name)")
            }
        }
    }
}
