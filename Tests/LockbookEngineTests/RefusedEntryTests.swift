import GRDB
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A server that appends an entry and says that it will not have it: whatever is written on top of that
/// is no conflict of a device with itself.
struct RefusedEntryTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private static let refusal = LockbookError.refused(reason: "no")

    /// Pushes do what they do, and are refused, in this sync.
    private func syncRefused(_ device: Device) async throws {
        device.faults.lie("/v1/push") { _ in throw Self.refusal }
        await #expect(throws: Self.refusal) { try await device.sync() }
        device.faults.tellTruth()
    }

    private func keptCount(_ device: Device) throws -> [Int] {
        try device.lockbook.store.read { tree in
            try ["refused_entry", "refused_record"].map { table in
                try Int.fetchOne(tree.db, sql: "SELECT count(*) FROM \(table)") ?? 0
            }
        }
    }

    @Test func `what was written on top of it is all that is pushed`() async throws {
        let (laptop, phone) = try await ada.twoDevices(holding: ["a.md": "one\n", "b.md": "b"])
        try laptop.write("/a.md", "one\nfirst\n")
        try laptop.write("/b.md", "second")
        try await syncRefused(laptop)
        try laptop.write("/a.md", "one\nfirst\nsecond\n")

        let report = try await laptop.sync()
        #expect(report.notes.isEmpty && report.pulled.isEmpty)
        #expect(report.pushed.sorted() == ["/a.md", "/b.md"])
        #expect(try await laptop.text("/a.md") == "one\nfirst\nsecond\n")
        #expect(try keptCount(laptop) == [0, 0])
        try await converge(ada, laptop, phone)
    }

    @Test func `what another device made of it is merged with what was written on top of it`()
        async throws
    {
        let (laptop, phone) = try await ada.twoDevices(holding: ["a.md": "one\ntwo\n"])
        try laptop.move("/a.md", to: "/b.md")
        try laptop.write("/b.md", "one\ntwo\nfirst\n")
        try await syncRefused(laptop)
        try await phone.sync()
        try phone.write("/b.md", "phone\none\ntwo\nfirst\n")
        try await phone.sync()
        try laptop.write("/b.md", "one\ntwo\nfirst\nsecond\n")
        try laptop.move("/b.md", to: "/c.md")

        #expect(try await laptop.sync().notes.filter { $0.kind != .merged }.isEmpty)
        #expect(try await laptop.text("/c.md") == "phone\none\ntwo\nfirst\nsecond\n")
        try await converge(ada, laptop, phone)
    }

    @Test func `so it is where the next try without what was refused comes to nothing`()
        async throws
    {
        let (laptop, phone) = try await ada.twoDevices(holding: ["a.md": "one\n", "team/b.md": "b"])
        let desk = try await bob.firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try laptop.write("/a.md", "one\nfirst\n")
        try await syncRefused(laptop)
        // All of it, and all but the address book.
        #expect(try keptCount(laptop).first == 2)
        try laptop.write("/a.md", "one\nfirst\nsecond\n")

        #expect(try await laptop.sync().notes.isEmpty)
        #expect(try await laptop.text("/a.md") == "one\nfirst\nsecond\n")
        try await desk.sync()
        #expect(try desk.lockbook.offers().map(\.name) == ["team"])
        try await converge(ada, laptop, phone)
    }

    @Test func `a share that was taken back with it is taken back`() async throws {
        let (laptop, desk) = try await shared()
        try laptop.write("/team/plan.md", "plan.md\nfirst\n")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        laptop.faults.lie("/v1/push") { _ in throw Self.refusal }
        #expect(try await laptop.sync().notes.contains { $0.kind == .notChanged })
        laptop.faults.tellTruth()
        try laptop.write("/team/plan.md", "plan.md\nfirst\nsecond\n")

        #expect(try await laptop.sync().notes.isEmpty)
        #expect(try laptop.lockbook.status().shares == nil)
        #expect(try await laptop.text("/team/plan.md") == "plan.md\nfirst\nsecond\n")
        #expect(try await desk.sync().notes.map(\.kind) == [.takenBack])
        try await converge(ada, laptop)
    }

    @Test func `what is refused again and again does not pile up`() async throws {
        let laptop = try await ada.firstDevice()
        laptop.faults.refuse("/v1/push") { _ in throw Self.refusal }
        for number in 1...12 {
            try laptop.write("/a.md", "\(number)")
            await #expect(throws: Self.refusal) { try await laptop.sync() }
        }
        // Of the newest one the record is that of the file still.
        #expect(try keptCount(laptop) == [2, 1])
        laptop.faults.tellTruth()
        #expect(try await laptop.sync().pushed == ["/a.md"])
        #expect(try keptCount(laptop) == [0, 0])
        try await converge(ada, laptop)
    }
}
