import Glibc
import LockbookEngine

/// How a lockbook stands, for a person.
struct StatusText {
    let lines: [String]

    init(_ status: StatusReport) {
        var lines = [
            "\(status.username) on \(status.server)"
                + (status.registered || status.unfetched == true ? "" : " (not registered yet)"),
            count(status.documents, "document") + ", " + count(status.folders, "folder")
                + (status.links.map { ", " + count($0, "link") } ?? "")
                + (status.notHere > 0
                    ? ", \(status.notHere) with contents on the server only" : ""),
            Self.lastSync(status),
        ]
        if let time = status.deleted {
            lines.append(
                "deleted on \(localDay(milliseconds: time)), by its owner and for good: what is here is "
                    + "on this device alone"
            )
        }
        if status.unfetched == true {
            lines.append("your notes are not on this device yet: `lockbook sync` brings them")
        } else if !status.registered {
            lines.append(
                "a sync registers the name, if it is free; `lockbook account new NAME` takes another"
            )
        }
        if let newest = status.newest {
            lines.append("newest change \(newest.sentence)")
        }
        if let stop = status.stopped {
            lines.append("stopped: a sync \(stop.prospect)")
            lines.append("  if it is meant: `lockbook sync --accept-deletions`")
        }
        lines += Self.failedSync(status)
        lines += Self.automaticSyncs(status)
        lines += Self.conflicts(status.conflicts)
        lines += Self.shares(status)
        lines += Self.changes(status)
        self.lines = lines
    }

    /// That something is to be decided; nothing where that is not so.
    static func conflicts(_ number: Int) -> [String] {
        guard number > 0 else { return [] }
        return [count(number, "conflict") + " to decide: `lockbook conflicts` shows them"]
    }

    /// Why a sync was refused; nothing where the lines above or below say it.
    private static func failedSync(_ status: StatusReport) -> [String] {
        guard let failed = status.failed, status.deleted == nil,
            failed.reason != status.background?.failure
        else { return [] }
        return ["the sync of \(localTime(milliseconds: failed.at)) failed: \(failed.reason)"]
    }

    /// What automatic syncs could not do, and what they decided.
    private static func automaticSyncs(_ status: StatusReport) -> [String] {
        guard let note = status.background else { return [] }
        var lines: [String] = []
        if let failure = note.failure {
            let moment = localTime(milliseconds: note.at)
            lines.append("the automatic sync of \(moment) failed: \(failure)")
        }
        if !note.decisions.isEmpty {
            lines.append("automatic syncs decided (`lockbook sync` takes this away):")
            lines += note.decisions.map { "  " + $0 }
        }
        return lines
    }

    /// What others offer and await, and what is to be synced about shares.
    private static func shares(_ status: StatusReport) -> [String] {
        var lines: [String] = []
        if let offers = status.offers {
            lines.append(count(offers, "offer") + " of others: `lockbook share pending`")
        }
        if let invitations = status.invitations {
            lines.append(count(invitations, "invitation") + " open: `lockbook share list`")
        }
        for name in status.givers ?? [] {
            lines.append("\(name) gives you a share for good: `lockbook share pending`")
        }
        if let transfers = status.transfers {
            lines.append(count(transfers, "share") + " given away and not let go of yet")
        }
        for share in status.awaitedShares ?? [] {
            lines.append(awaited(share))
        }
        if let shares = status.shares {
            lines.append(count(shares, "change") + " of shares or people to sync")
        }
        for share in status.heldShares ?? [] {
            lines.append("  waits: \(share.path) (\(share.reason))")
        }
        return lines
    }

    private static func changes(_ status: StatusReport) -> [String] {
        guard !status.changes.isEmpty else {
            return status.shares == nil ? ["no changes to sync"] : []
        }
        // What was refused is never among those that are left out.
        let isLong = status.changes.count > mostChanges
        let usual = status.changes.filter { $0.refused == nil }.prefix(mostChanges)
        let shown = isLong ? status.changes.filter { $0.refused != nil } + usual : status.changes
        var lines = [count(status.changes.count, "change") + " to sync:"]
        lines += shown.map { change in
            let kind = change.kind.rawValue
            let why: String? =
                change.refused.map { " (the server refused it: \($0))" }
                ?? change.heldBack.map { " (waits: \($0))" }
            return "  \(kind)\(String(repeating: " ", count: 9 - kind.count))\(change.path)"
                + (why ?? "")
        }
        if shown.count < status.changes.count {
            lines.append(
                "  and \(status.changes.count - shown.count) more: `lockbook status --json`"
            )
        }
        return lines
    }

    /// By the clock of this device, as the server is not asked.
    private static func awaited(_ share: AwaitedShare) -> String {
        guard share.expires < Int64(time(nil)) * 1000 else {
            let line = share.owner.map { "invited to what \($0) shares by" } ?? "invited by"
            return "\(line) \(share.by), whose next sync lets you in"
        }
        let what = share.owner.map { " to what \($0) shares" } ?? ""
        return "the invitation of \(share.by)\(what) expired on "
            + "\(localDay(milliseconds: share.expires)): if the next sync does not bring it, "
            + "ask for a new code"
    }

    /// How many changes a person is shown.
    private static let mostChanges = 20

    private static func lastSync(_ status: StatusReport) -> String {
        guard let moment = status.lastSync else { return "never synced" }
        return "last synced \(localTime(milliseconds: moment))"
    }
}

extension NewestEntry {
    /// The same words on every device, so that two people can read them to each other.
    var sentence: String {
        "\(position) of \(localTime(milliseconds: created)), by device \(device.prefix(8)), "
            + "fingerprint \(fingerprint)"
    }
}
