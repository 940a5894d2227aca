import LockbookEngine
import LockbookTestSupport
import Testing

/// What a second version is called that cannot stay beside a document that is shared by itself.
struct SecondVersionNameTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `the second version of a shared document that was deleted has the document's name`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/photo.bin", "\u{0}base")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/photo.bin", .write, laptop, desk)
        let phone = try await bob.device(named: "phone", like: desk)
        try desk.write("/photo.bin", "\u{0}desk")
        try phone.write("/photo.bin", "\u{0}phone")
        try laptop.delete("/photo.bin")
        try await laptop.sync()
        try await desk.sync()

        let report = try await phone.sync()
        let kept = try #require(report.notes.first { $0.kind == .keptOwn })
        #expect(kept.path == "/photo-1.bin" && kept.detail == "/photo.bin")
        #expect(try await phone.text("/photo-1.bin") == "\u{0}phone")
        #expect(!report.notes.map(\.kind).contains(.keptBothInTrash))
    }
}
