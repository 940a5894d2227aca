import LockbookCrypto
import LockbookModel

/// What no entry may change of a file, whatever comes after it.
extension PageCheck {
    /// Judges each record by what the file was right before its entry: at the end of a page nobody
    /// could tell any more what it was on the way there.
    func requireSteps(_ records: [FileRecord], in header: EntryHeader) throws {
        let view = view
        var seen: Set<FileID> = []
        for record in records {
            let facts = record.facts
            // Of two records of one file in an entry each member could be shown another one.
            guard seen.insert(facts.id).inserted else { throw VerificationFailure.misplaced }
            // As many entries as the log has by then, this one included.
            guard facts.epoch <= header.position &+ 1 else { throw Violation.epoch(facts.id) }
            guard let old = try view.step(facts.id) else { continue }
            guard old.facts.type == facts.type else { throw Violation.typeChanged(facts.id) }
            guard facts.epoch >= old.facts.epoch else { throw Violation.epoch(facts.id) }
            // Of a member another key is nonsense, over which the owner puts back what was before.
            guard facts.epoch == old.facts.epoch, facts.author == context.owner,
                old.facts.author == context.owner
            else { continue }
            guard old.keyCommitment == record.keyCommitment else {
                throw Violation.epoch(facts.id)
            }
        }
    }
}
