import Foundation
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A sync that does something about a share that was taken back, and is killed before it says so.
struct UntoldTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private func takenBack(_ word: String = "word") async throws -> Device {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/team", .write, laptop, desk)
        try desk.write("/team/plan.md", word)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        return desk
    }

    @Test func `the next sync says what was done, once`() async throws {
        let desk = try await takenBack()
        let told = try await desk.sync().notes
        #expect(told.map(\.kind) == [.keptOwn, .takenBack])
        #expect(try await desk.sync().notes == [])
        // As if it had been killed at its end.
        try desk.lockbook.store.write { try $0.keepUntold(told) }
        // What tells nothing of it takes nothing away.
        _ = try await desk.lockbook.history(.path("/"))
        var options = SyncOptions()
        options.isDryRun = true
        #expect(try await desk.lockbook.sync(options).notes == told)
        #expect(try await desk.sync().notes == told)
        #expect(try await desk.sync().notes == [])
    }

    /// A sync, as if it had been killed between its own store and the other one.
    /// - Returns: what it told, and the device as it is then.
    private func killed(_ desk: Device) async throws -> ([SyncReport.Note], Device) {
        let (shares, before) = (desk.directory + "/shares", desk.directory + "-shares")
        try FileManager.default.copyItem(atPath: shares, toPath: before)
        let told = try await desk.sync().notes
        try FileManager.default.removeItem(atPath: shares)
        try FileManager.default.moveItem(atPath: before, toPath: shares)
        let anew = try desk.again()
        try anew.lockbook.store.write { try $0.keepUntold(told) }
        return (told, anew)
    }

    @Test(arguments: [4, 300_000], [nil, 4, 300_000])
    func `what was kept already is not kept twice`(size: Int, editedSize: Int?) async throws {
        let word = noise(size, seed: 1)
        let edited = editedSize.map { noise($0, seed: 2) }
        let desk = try await takenBack(word)
        let (told, anew) = try await killed(desk)
        let copy = try #require(told.first { $0.kind == .keptOwn }?.path)
        if let edited { try anew.write(copy, edited) }

        let again = try await anew.sync().notes

        #expect(again.filter { $0.kind == .takenBack }.count == 1)
        var texts: [String] = []
        for path in try anew.paths() { texts.append(try await anew.text(path)) }
        // Not shown: they are large.
        let isEach = texts.sorted() == [word, edited].compactMap(\.self).sorted()
        #expect(isEach)
    }

    @Test func `nor after one that did not come to what others share`() async throws {
        let desk = try await takenBack()
        let (told, anew) = try await killed(desk)
        #expect(told.map(\.kind) == [.keptOwn, .takenBack])
        anew.faults.next("/v1/pull", .lost)
        await #expect(throws: LockbookError.self) { try await anew.sync() }
        _ = try await anew.sync()
        #expect(try anew.paths() == told.filter { $0.kind == .keptOwn }.map(\.path))
        #expect(try await anew.sync().notes == [])
    }

    @Test func `saves that were kept already are not kept twice`() async throws {
        let (laptop, desk) = try await shared()
        for text in ["first", "second"] { try desk.write("/team/plan.md", text) }
        try await desk.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()

        let (told, anew) = try await killed(desk)
        #expect(told.map(\.kind) == [.keptOwn, .takenBack])
        let again = try await anew.sync().notes
        #expect(again == told)
        #expect(try anew.lockbook.trash().count { $0.path == "/plan.md" } == 1)
        #expect(try anew.paths() == [])
    }
}
