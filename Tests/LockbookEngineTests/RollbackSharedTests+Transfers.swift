import LockbookEngine
import LockbookTestSupport
import Testing

/// What had another owner already when the server went back.
extension RollbackSharedTests {
    /// - Parameter isSeen: whether the new owner saw that the earlier one had let go of it.
    @Test(arguments: [false, true])
    func `whoever was let into the copy of a share that was given away is let in again`(
        isSeen: Bool
    ) async throws {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .write, laptop, tablet)
        try await laptop.sync()
        try await losing {
            try await give(laptop, desk)
            try await take(desk)
            try await desk.sync()
            try await laptop.sync()
            if isSeen { try await desk.sync() }
            for _ in 0..<2 { try await tablet.sync() }
            try tablet.write("/team/words.md", "words of carol")
        }

        try await accept(laptop)
        let report = try await accept(desk)
        #expect(!report.notes.contains { $0.kind == .notDone })
        try await accept(tablet)
        for _ in 0..<2 {
            for device in [laptop, desk, tablet] { try await device.sync() }
        }
        let shares = try desk.lockbook.shares(of: .path("/team"))
        let members = shares.map { "\($0.username) \($0.mode)" }
        #expect(members == ["ada admin", "carol write"])
        for device in [laptop, desk, tablet] {
            let report = try await device.sync()
            #expect(report.pulled.isEmpty && report.pushed.isEmpty, "\(device.name)")
            #expect(try device.lockbook.validate() == [])
            #expect(try device.lockbook.status().changes == [])
            #expect(try await device.text("/team/words.md") == "words of carol", "\(device.name)")
        }
    }

    /// - Parameter isSeen: whether the new owner saw that the earlier one had let go of it.
    @Test(arguments: [false, true])
    func `so is who had a part of it alone`(isSeen: Bool) async throws {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "sub/note.md"])
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team/sub", .write, laptop, tablet)
        try await laptop.sync()
        try await losing {
            try await give(laptop, desk)
            try await take(desk)
            try await desk.sync()
            try await laptop.sync()
            if isSeen { try await desk.sync() }
            for _ in 0..<2 { try await tablet.sync() }
            try tablet.write("/sub/words.md", "words of carol")
        }

        try await accept(laptop)
        let report = try await accept(desk)
        #expect(!report.notes.contains { $0.kind == .notDone })
        try await accept(tablet)
        for _ in 0..<2 {
            for device in [laptop, desk, tablet] { try await device.sync() }
        }
        let shares = try desk.lockbook.shares(of: .path("/team/sub"))
        #expect(shares.map { "\($0.username) \($0.mode)" } == ["carol write"])
        let places = [(laptop, "/team/sub"), (desk, "/team/sub"), (tablet, "/sub")]
        for (device, place) in places {
            let report = try await device.sync()
            #expect(report.pulled.isEmpty && report.pushed.isEmpty, "\(device.name)")
            #expect(try device.lockbook.validate() == [])
            #expect(try device.lockbook.status().changes == [])
            let words = try await device.text(place + "/words.md")
            #expect(words == "words of carol", "\(device.name)")
        }
        #expect(try tablet.paths() == ["/sub", "/sub/note.md", "/sub/words.md"])
    }
}
