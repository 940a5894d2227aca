import LockbookCrypto
import LockbookModel

/// What a share that has another owner now is to everybody else.
extension Sync {
    /// Puts links to what continues a share where those were that led to it.
    mutating func followTransfers() throws {
        guard !options.isDryRun, !store.context.isForeign else { return }
        for ended in try store.read({ try $0.endedLinks() }) {
            let old = others.first { $0.store.context.owner == ended.source.owner }
            if try old?.store.read({ try $0.held()[ended.source.file] != nil }) ?? false {
                try store.write { try $0.forgetEnd(of: ended.source) }
                continue
            }
            guard let (target, title, owner) = try continuation(of: ended.source) else { continue }
            let path = try store.write { tree in
                try tree.forgetEnd(of: ended.source)
                if let link = try tree.links(to: target.owner)[target.file] { return link.path }
                let old = try tree.row(ended.link)
                return try tree.path(of: tree.link(to: target, inPlaceOf: old, named: title))
            }
            report.notes.removeAll {
                $0.kind == .takenBack && $0.id == ended.source.file.description
                    || $0.kind == .offered && $0.id == target.file.description
            }
            note(.transferred, target.file, path, owner)
        }
        try noteTakenOver()
    }

    /// What continues a share: of several, made for offers that were taken back in between, what was
    /// made for the last one, because for no other the owner let go of it.
    private func continuation(of source: LinkTarget) throws
        -> (target: LinkTarget, title: FileName, owner: String)?
    {
        var found: (target: LinkTarget, title: FileName, owner: String)?
        var last: UInt32 = 0
        for other in others {
            try other.store.read { tree in
                for successor in try tree.successors() {
                    guard let number = successor.number(of: source), number > last else { continue }
                    last = number
                    found = (
                        LinkTarget(owner: tree.owner, file: successor.row.id),
                        try tree.ownersName(of: successor.row), try tree.username(of: tree.owner)
                    )
                }
            }
        }
        return found
    }

    /// To the new owner it was not taken back: it is his.
    private mutating func noteTakenOver() throws {
        let isTakenBack = report.notes.contains { $0.kind == .takenBack }
        guard isTakenBack else { return }
        let own = try store.read { tree in
            try tree.successors().sorted {
                $0.sources.first?.offer.number ?? 0 > $1.sources.first?.offer.number ?? 0
            }.compactMap { successor in
                try successor.sources.first.map {
                    ($0.offer.source.file, successor.row.id, try tree.path(of: successor.row))
                }
            }
        }
        for (source, file, path) in own {
            let before = report.notes.count
            report.notes.removeAll { $0.kind == .takenBack && $0.id == source.description }
            guard report.notes.count < before else { continue }
            note(.transferred, file, path, account.username)
        }
    }
}
