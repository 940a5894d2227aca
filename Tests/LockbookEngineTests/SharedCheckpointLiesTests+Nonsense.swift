import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// Checkpoints whose owner signed what no tree is.
extension SharedCheckpointLiesTests {
    @Test func `a scope without its own file, or whose file has another key, is none`()
        async throws
    {
        let sub = try #require(FileID(hex: try laptop.lockbook.info(.path("/team/sub")).id))
        let old = try laptop.lockbook.store.read { tree in
            try FileRecord(try #require(try tree.row(sub)?.base))
        }
        // Bob is taken out, and who stays gets new keys.
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await letGo()
        let phone = try await ada.device(named: "phone", like: laptop, synced: false)
        let pages = Seen()
        phone.lieAboutLogs { log in
            if log.hasCheckpoint { pages.add([Array(try log.checkpoint.serializedData() as Data)]) }
        }
        try await phone.sync()
        phone.faults.tellTruth()
        let page = try Lockbook_V1_CheckpointPage(serializedBytes: try #require(pages.states.first))
        let scopes = try #require(
            try CheckpointScopes(
                try Checkpoint(Array(page.checkpoint)),
                page.states,
                for: phone.lockbook.store.context,
                by: phone.lockbook.keys.signing.publicKey
            )
        )
        var records: [FileID: FileRecord] = [:]
        for item in page.items {
            let record = try FileRecord(Array(item.record))
            records[record.facts.id] = record
        }
        try scopes.verify(records)

        for state in scopes.seen {
            let others = records.filter { $0.key != state.scope }
            #expect(throws: VerificationFailure.hash) { try scopes.verify(others) }
        }
        #expect(records[sub]?.facts.epoch != old.facts.epoch)
        let mixed = records.merging([sub: old]) { $1 }
        #expect(throws: VerificationFailure.hash) { try scopes.verify(mixed) }
    }
}
