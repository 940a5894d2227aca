import LockbookEngine
import LockbookTestSupport
import Testing

/// A shared file moves over the border of a share while somebody else does something else.
struct MovedShareRaceTests: SharingStories {
    let people: Sharers
    let laptop: Device
    let phone: Device
    let desk: Device
    let tablet: Device

    /// `/team` is shared with bob, `/sub` with carol, who both may write; ada has two devices.
    init() async throws {
        people = try Sharers()
        (laptop, phone, desk, tablet) = try await people.devices(
            holding: [
                "/team/plan.md": "plan", "/sub/note.md": "note", "/sub/deep/more.md": "more",
                "/other/": "",
            ]
        )
        try await share("/team", .write, laptop, desk)
        try await share("/sub", .write, laptop, tablet)
        try await phone.sync()
    }

    enum Meanwhile: String, CaseIterable {
        case nothing, moved, takenBack, partShared, deleted, written, made
        case targetDeleted, targetTakenBack, targetShared, foldedAround
    }

    private func convergeAll() async throws {
        for _ in 0..<3 {
            for device in [laptop, phone, desk, tablet] {
                let report = try await device.sync()
                #expect(
                    !report.notes.contains { $0.kind == .notPushed || $0.kind == .notDone },
                    "\(report.notes)"
                )
            }
        }
        try await converge(ada, laptop, phone)
        try await converge(bob, desk)
        try await converge(carol, tablet)
    }

    /// What is behind a link or in a folder, by its path there.
    private func texts(_ device: Device, _ top: String) async throws -> [String: String] {
        var texts: [String: String] = [:]
        for path in try device.paths() where path.hasPrefix(top + "/") && !path.hasSuffix("/") {
            texts[String(path.dropFirst(top.count))] = try await device.text(path)
        }
        return texts
    }

    @Test(arguments: Meanwhile.allCases, [false, true])
    func `it comes into a share`(meanwhile: Meanwhile, isAnswerLost: Bool) async throws {
        try laptop.move("/sub", to: "/team/")
        try laptop.write("/team/sub/note.md", "note by ada")
        if isAnswerLost {
            laptop.faults.next("/v1/push", .answerLost)
            await #expect(throws: LockbookError.self) { try await laptop.sync() }
        }
        try await happens(meanwhile, below: "")
        try await convergeAll()
        try await isSeenAlike()
    }

    @Test(arguments: Meanwhile.allCases, [false, true])
    func `it leaves a share`(meanwhile: Meanwhile, isAnswerLost: Bool) async throws {
        try laptop.move("/sub", to: "/team/")
        try await convergeAll()
        try laptop.move("/team/sub", to: "/other/")
        try laptop.write("/other/sub/note.md", "note by ada")
        if isAnswerLost {
            laptop.faults.next("/v1/push", .answerLost)
            await #expect(throws: LockbookError.self) { try await laptop.sync() }
        }
        try await happens(meanwhile, below: "/team")
        try await convergeAll()
        try await isSeenAlike()
    }

    /// On the phone, which does not know of the move, and on the devices of the members.
    private func happens(_ meanwhile: Meanwhile, below outer: String) async throws {
        let sub = outer + "/sub"
        switch meanwhile {
        case .nothing: break
        case .moved: try phone.move(sub, to: "/other/inner")
        case .takenBack: try phone.lockbook.setShare(.path(sub), of: "carol", to: nil)
        case .partShared:
            _ = try await phone.lockbook.share(.path(sub + "/deep"), with: "bob", mode: .read)
        case .deleted: try phone.delete(sub)
        case .written:
            try tablet.write("/sub/note.md", "note\nby carol")
            try await tablet.sync()
        case .made: try tablet.write("/sub/deep/new.md", "new by carol")
        case .targetDeleted: try phone.delete(outer.isEmpty ? "/team" : "/other")
        case .targetTakenBack: try phone.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        case .targetShared:
            let target = outer.isEmpty ? "/team" : "/other"
            _ = try await phone.lockbook.share(.path(target), with: "carol", mode: .read)
        case .foldedAround:
            try phone.write("/box/own.md", "own")
            try phone.move(sub, to: "/box/")
        }
        if meanwhile != .moved { try await phone.sync() }
    }

    /// Carol has of it what ada has, as long as it is shared with her.
    private func isSeenAlike() async throws {
        let shares = try laptop.lockbook.shares()
        for share in shares where share.username == "carol" && share.path.hasSuffix("/sub") {
            let theirs = try await texts(laptop, share.path)
            // Below the link to it, or to what is around it.
            let link = try #require(try tablet.paths().first { $0.hasSuffix("/sub") })
            #expect(try await texts(tablet, link) == theirs)
        }
        let team = try await texts(laptop, "/team")
        let isIn = shares.contains { $0.username == "bob" && $0.path == "/team" }
        #expect(try await texts(desk, "/team") == (isIn ? team : [:]))
    }
}
