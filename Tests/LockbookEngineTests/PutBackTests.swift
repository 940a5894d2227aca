import LockbookEngine
import LockbookTestSupport
import Testing

/// What was changed, sent in an entry about shares whose answer was lost, and changed back.
struct PutBackTests {
    enum Change: CaseIterable { case deleted, renamed, written }

    @Test(arguments: Change.allCases)
    func `what was changed back after it was sent is as it was`(_ change: Change) async throws {
        let server = try TestServer()
        let ada = Person("ada", on: server)
        let laptop = try await ada.firstDevice()
        _ = try await Person("bob", on: server).firstDevice(named: "desk").sync()
        try laptop.write("/c.txt", "first")
        try laptop.write("/team/w/e.md", "e")
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()

        // What leaves the share makes it an entry about shares.
        try laptop.move("/team/w", to: "/")
        switch change {
        case .deleted: try laptop.delete("/c.txt")
        case .renamed: _ = try laptop.lockbook.rename(.path("/c.txt"), to: "d.txt")
        case .written: try laptop.write("/c.txt", "second")
        }
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        _ = try laptop.lockbook.undo()

        try await laptop.sync()
        #expect(try laptop.lockbook.validate() == [])
        #expect(try await laptop.text("/c.txt") == "first")
        let phone = try await ada.device(named: "phone", like: laptop)
        try await converge(ada, laptop, phone)
        #expect(try await phone.text("/c.txt") == "first")
    }
}
