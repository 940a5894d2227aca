import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import Testing

/// What the keys open that somebody held who was removed.
struct SharingKeysTests {
    /// Also of what was written in the time between the command and the sync that does it.
    @Test(arguments: [true, false])
    func `every key of a removed member opens nothing that came after`(
        isSyncedBefore: Bool
    ) async throws {
        let server = try TestServer()
        let laptop = try await Person("ada", on: server).firstDevice()
        for number in 0..<12 { try laptop.write("/team/d\(number % 3)/n\(number).md", "text") }
        try await laptop.sync()
        let desk = try await Person("bob", on: server).firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        let words = desk.lockbook.recoveryPhrase().joined(separator: " ")
        let keys = try AccountKeys(seed: try RecoveryPhrase.seed(from: words))
        let before = try await server.history(of: laptop)
        let held = try before.keys(of: keys)
        #expect(held.count == 1 + 3 + 12)

        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        if isSyncedBefore { try await laptop.sync() }
        try laptop.write("/team/d0/n0.md", "new words")
        try laptop.write("/team/d1/new.md", "new note")
        try laptop.write("/team/fresh/new.md", "new note in a new folder")
        try laptop.move("/team/d2/n2.md", to: "/team/d0/renamed.md")
        try laptop.delete("/team/d1/n1.md")
        try await laptop.sync()
        #expect(try laptop.lockbook.status().changes.isEmpty)
        #expect(try laptop.lockbook.status().shares == nil)

        let after = try await server.history(of: laptop)
        let later = after.records(since: before)
        #expect(later.count >= 16 + 6)
        #expect(try after.keys(of: keys).count == held.count)
        for record in later {
            for key in held {
                #expect(throws: DamagedRecord.self) { _ = try record.file(key: key) }
                #expect(throws: DamagedRecord.self) {
                    _ = try record.key(in: FolderKeys(of: key))
                }
                #expect(throws: DamagedRecord.self) {
                    if try record.previousKey(key) == nil { throw DamagedRecord.keyDoesNotOpen }
                }
                for name in ["n0.md", "new.md", "renamed.md", "d0", "team"] {
                    #expect(key.tagKey().tag(try FileName(name).normalized) != record.facts.nameTag)
                }
            }
        }
    }
}
