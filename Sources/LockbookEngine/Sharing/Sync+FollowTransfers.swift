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
            // What was made of an offer that was taken back then continues nothing.
            let found = try others.flatMap { other in
                try other.store.read { tree in
                    try tree.successors().compactMap { successor in
                        try successor.number(continuing: ended.source).map {
                            (
                                number: $0,
                                target: LinkTarget(owner: tree.owner, file: successor.row.id),
                                title: try tree.ownersName(of: successor.row),
                                owner: try tree.username(of: tree.owner)
                            )
                        }
                    }
                }
            }.max { $0.number < $1.number }
            guard let (_, target, title, owner) = found else { continue }
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

    /// To the new owner it was not taken back: it is his.
    private mutating func noteTakenOver() throws {
        let isTakenBack = report.notes.contains { $0.kind == .takenBack }
        guard isTakenBack else { return }
        let own = try store.read { tree in
            try tree.successors().compactMap { successor in
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
