import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What had another owner already when the server went back.
extension RollbackSharedTests {
    /// Ada's laptop gives `/team` to bob, which the server loses, and all accept that.
    /// - Parameters:
    ///   - isSeen: whether the new owner saw that the earlier one had let go of it.
    ///   - path: where carol writes when she knows of it, and does not sync.
    private func giveAndLose(
        isSeen: Bool,
        _ laptop: Device,
        _ desk: Device,
        _ tablet: Device,
        path: String
    ) async throws {
        try await losing {
            try await give(laptop, desk)
            try await take(desk)
            try await desk.sync()
            try await laptop.sync()
            if isSeen { try await desk.sync() }
            for _ in 0..<2 { try await tablet.sync() }
            try tablet.write(path, "words of carol")
        }
        try await accept(laptop)
        let report = try await accept(desk)
        #expect(!report.notes.contains { $0.kind == .notDone })
        try await accept(tablet)
        for _ in 0..<2 {
            for device in [laptop, desk, tablet] { try await device.sync() }
        }
    }

    /// Nothing is left to do, and all have what carol wrote.
    private func haveWords(_ paths: [(device: Device, path: String)]) async throws {
        for (device, path) in paths {
            let report = try await device.sync()
            #expect(report.pulled.isEmpty && report.pushed.isEmpty, "\(device.name)")
            #expect(try device.lockbook.validate() == [])
            #expect(try device.lockbook.status().changes == [])
            #expect(try await device.text(path) == "words of carol", "\(device.name)")
        }
    }

    private func members(_ path: String, _ desk: Device) throws -> [String] {
        try desk.lockbook.shares(of: .path(path)).map { "\($0.username) \($0.mode)" }
    }

    @Test(arguments: [false, true])
    func `whoever was let into the copy of a share that was given away is let in again`(
        isSeen: Bool
    ) async throws {
        let (laptop, desk, tablet) = try await withCarol()
        let path = "/team/words.md"
        try await giveAndLose(isSeen: isSeen, laptop, desk, tablet, path: path)
        #expect(try members("/team", desk) == ["ada admin", "carol write"])
        try await haveWords([(laptop, path), (desk, path), (tablet, path)])
    }

    @Test(arguments: [false, true])
    func `so is who had a part of it alone`(isSeen: Bool) async throws {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "sub/note.md"])
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team/sub", .write, laptop, tablet)
        try await laptop.sync()
        try await giveAndLose(isSeen: isSeen, laptop, desk, tablet, path: "/sub/words.md")
        #expect(try members("/team/sub", desk) == ["carol write"])
        let path = "/team/sub/words.md"
        try await haveWords([(laptop, path), (desk, path), (tablet, "/sub/words.md")])
        #expect(try tablet.paths() == ["/sub", "/sub/note.md", "/sub/words.md"])
    }

    /// Carol's tablet has `/team`, too.
    private func withCarol() async throws -> (laptop: Device, desk: Device, tablet: Device) {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .write, laptop, tablet)
        try await laptop.sync()
        return (laptop, desk, tablet)
    }

    @Test func `what is restored before its end was told again is its owner's alone`()
        async throws
    {
        let (laptop, desk, tablet) = try await withCarol()
        let store = laptop.lockbook.store
        let step = try store.read { try $0.steps().last }
        try await losing {
            try await give(laptop, desk)
            try await take(desk)
            try await desk.sync()
            try await laptop.sync()
        }
        // A sync that went back, and was killed before it took anything back.
        try store.write { _ = try $0.rewind(to: step) }
        let folder = try #require(try laptop.lockbook.restore([.path("/team")]).first)
        try laptop.write(folder.path + "/secret.md", "of ada alone")

        try await accept(laptop)
        #expect(try laptop.lockbook.shares().isEmpty)
        for device in [desk, tablet] {
            try await accept(device)
            try await device.sync()
            #expect(try !device.paths().contains { $0.hasSuffix("secret.md") }, "\(device.name)")
        }
    }

    @Test func `who was taken out before a share was given away was by a decision`() async throws {
        let (laptop, desk, _) = try await withCarol()
        let store = laptop.lockbook.store
        let step = try store.read { try $0.steps().last }
        try laptop.lockbook.setShare(.path("/team"), of: "carol", to: nil)
        try await laptop.sync()
        try await give(laptop, desk)

        let (decided, settling) = try store.write { tree in
            // What takes it back from everybody is in the log, and the sync did not come further.
            for known in try tree.allGrants() where known.mode > .none {
                try tree.keep(
                    tree.grant(
                        known.file,
                        to: known.grantee,
                        named: known.granteeName,
                        .none,
                        after: known
                    )
                )
            }
            let wishes = try tree.rewind(to: step).wishes
            func names(_ wishes: [LocalTree.ShareWish]) throws -> [String] {
                try wishes.map { try tree.username(of: $0.grantee) }
            }
            return (
                try names(wishes.filter { !$0.isSettling }),
                try names(wishes.filter(\.isSettling))
            )
        }
        #expect(decided == ["carol"] && settling == ["bob"])
    }
}
