import Foundation
import LockbookAPI
import LockbookEngine
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// What a copy of a member's data folder holds as new, and has no place with its owner any more: the
/// other copy pushed it, and the owner took it away.
struct GoneBehindTwinTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    enum End: CaseIterable { case purged, movedOut, purgedAlone, movedOutAlone }

    /// - Parameter leaps: whether the copy learns of it from a checkpoint, which says nothing of what is gone.
    @Test(arguments: End.allCases, [false, true])
    func `what was written is kept, and nothing waits for ever`(_ end: End, leaps: Bool)
        async throws
    {
        try await run(end, leaps, isDeleted: false)
    }

    @Test(arguments: End.allCases, [false, true])
    func `so it is where the folder is deleted besides`(_ end: End, leaps: Bool) async throws {
        try await run(end, leaps, isDeleted: true)
    }

    private func run(_ end: End, _ leaps: Bool, isDeleted: Bool) async throws {
        let (laptop, desk) = try await shared()
        try desk.write("/team/in/new.md", "new")
        _ = try desk.lockbook.create(path: "/team/in/empty.md")
        _ = try desk.lockbook.create(path: "/team/empty.md")
        let twin = try desk.twin()
        try await desk.sync()
        try await laptop.sync()
        switch end {
        case .purged: _ = try laptop.lockbook.purge([.path("/team/in"), .path("/team/empty.md")])
        case .movedOut: try laptop.move("/team/in", to: "/")
        case .purgedAlone:
            let paths = ["/team/in/new.md", "/team/in/empty.md", "/team/empty.md"]
            _ = try laptop.lockbook.purge(paths.map { .path($0) })
        case .movedOutAlone:
            for path in ["/team/in/new.md", "/team/in/empty.md"] { try laptop.move(path, to: "/") }
        }
        try await laptop.sync()
        if isDeleted { try laptop.delete("/team") }
        try await laptop.sync()
        if leaps { try await leap(laptop) }

        let told = try await twin.sync().notes
        let toldAfter = try await twin.sync().notes
        #expect(try twin.lockbook.status().changes == [])
        let kept = try twin.paths() + twin.lockbook.trash().map(\.path)
        // What is deleted with its folder is in the trash with it.
        #expect(kept.contains { $0.hasSuffix("new.md") } || isDeleted && kept.contains("/team"))
        if leaps, !isDeleted, [.movedOut, .movedOutAlone].contains(end) {
            #expect(told.filter { $0.kind == .keptOwn }.map(\.path) == ["/new.md"])
            #expect(try await twin.text("/new.md") == "new")
            #expect(toldAfter == [])
        }
        #expect(try twin.lockbook.validate() == [])
    }

    @Test func `what was sent, and no answer came, is kept where its owner took it away since`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try desk.write("/team/in/new.md", "new")
        desk.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await desk.sync() }
        try await laptop.sync()
        try laptop.move("/team/in", to: "/")
        try await laptop.sync()
        try await leap(laptop)

        let told = try await desk.sync().notes
        #expect(told.filter { $0.kind == .keptOwn }.map(\.path) == ["/new.md"])
        #expect(!told.contains { $0.kind == .notPushed })
        #expect(try await desk.sync().notes == [])
        #expect(try desk.lockbook.status().changes == [])
        #expect(try await desk.text("/new.md") == "new")
        #expect(!(try desk.paths().contains("/team/in/")))
        #expect(try await laptop.text("/in/new.md") == "new")
        try await converge(bob, desk)
    }

    @Test func `what is only refused for want of room stays where it was written`() async throws {
        let (laptop, desk) = try await shared()
        try desk.write("/team/new.md", "new")
        try await leap(laptop)
        let answer = Lockbook_V1_ErrorResponse.with {
            $0.code = .tooLarge
            $0.message = "no room"
        }
        let body = Array(try answer.serializedData())
        for path in ["/v1/push", "/v1/stage"] { desk.faults.refuse(path) { _ in (413, body) } }

        let told = try await desk.sync().notes
        #expect(told.map(\.kind) == [.notPushed] && told.map(\.path) == ["/team/new.md"])
        desk.faults.tellTruth()
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/new.md") == "new")
    }

    /// The server lets go of what was before a checkpoint.
    private func leap(_ laptop: Device) async throws {
        let signing = try laptop.again(signingAfter: 1)
        try signing.write("/signed.md", "signed")
        try await signing.sync()
        try await people.server.collect(afterDays: 91)
    }
}
