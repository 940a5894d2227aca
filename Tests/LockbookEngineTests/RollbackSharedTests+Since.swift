import LockbookEngine
import LockbookTestSupport
import Testing

/// What was shared since the backup with somebody who had something of its owner before.
extension RollbackSharedTests {
    /// Who accepts when.
    enum Order: CaseIterable {
        case ownerFirst, memberFirst
    }

    @Test(arguments: Order.allCases, [false, true])
    func `a share around one that somebody had comes again when its owner has accepted`(
        order: Order,
        isInnerLinked: Bool
    ) async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/o/x.md", "x")
        try laptop.write("/o/in/y.md", "y")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        if isInnerLinked {
            try await share("/o/in", .write, laptop, desk)
        } else {
            _ = try await laptop.lockbook.share(.path("/o/in"), with: "bob", mode: .write)
            try await laptop.sync()
            try await desk.sync()
        }
        try await losing {
            if isInnerLinked {
                try await share("/o", .write, laptop, desk)
                try desk.write("/o/in/words.md", "words in it")
                try desk.write("/o/words.md", "words")
                try await desk.sync()
                try desk.write("/o/late.md", "late")
            } else {
                _ = try await laptop.lockbook.share(.path("/o"), with: "bob", mode: .write)
                try await laptop.sync()
                try await desk.sync()
            }
        }
        try desk.write("/own.md", "own")
        let before = try desk.paths()
        if order == .ownerFirst { try await accept(laptop) }
        let report = try await accept(desk)
        // What he wrote in what the server forgot waits for its owner.
        let waits: [SyncReport.Note.Kind] =
            order == .memberFirst && isInnerLinked ? [.notPushed] : []
        #expect(report.notes.map(\.kind).filter { $0 != .offered } == waits)
        #expect(report.pushed.contains("/own.md"))
        #expect(try desk.lockbook.validate() == [])
        try await desk.sync()
        if order == .memberFirst {
            // The inner one is where it was before the outer one came.
            let now = try desk.paths()
            #expect(Set(before).subtracting(now).allSatisfy { $0.hasPrefix("/o/in") })
            #expect(Set(now).subtracting(before).allSatisfy { $0.hasPrefix("/in/") })
            try desk.write("/own.md", "own, too")
            #expect(try await desk.sync().pushed == ["/own.md"])
            try await accept(laptop)
        }
        try await desk.sync()
        try await isWhole(bob, desk)
        try await laptop.sync()
        try await isWhole(ada, laptop)
        #expect(try desk.paths() == before)
        if isInnerLinked {
            #expect(try await laptop.text("/o/words.md") == "words")
            #expect(try await laptop.text("/o/late.md") == "late")
            #expect(try await laptop.text("/o/in/words.md") == "words in it")
        } else {
            #expect(try desk.paths() == ["/own.md"])
            #expect(try desk.lockbook.offers().map(\.name).sorted() == ["in", "o"])
        }
    }

    @Test(arguments: Order.allCases, [ShareRight.read, .write])
    func `a second share of an owner stays until he has accepted`(order: Order, mode: ShareRight)
        async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.write("/t/deep/note.md", "note")
        try laptop.write("/t/b.md", "b")
        try await laptop.sync()
        try await losing {
            try await share("/t", mode, laptop, desk)
            if mode == .write {
                try desk.write("/t/b.md", "b of bob")
                try desk.write("/t/words.md", "words")
                try await desk.sync()
                try await laptop.sync()
                try desk.write("/t/late.md", "late")
            }
        }
        let before = try desk.paths()
        let report: SyncReport
        if order == .ownerFirst { try await accept(laptop) }
        report = try await accept(desk)
        let waits: [SyncReport.Note.Kind] =
            order == .memberFirst && mode == .write ? [.notPushed] : []
        #expect(report.notes.map(\.kind) == waits)
        #expect(try desk.paths() == before)
        #expect(try await desk.text("/t/deep/note.md") == "note")
        #expect(try await desk.text("/t/b.md") == (mode == .write ? "b of bob" : "b"))
        #expect(try desk.lockbook.validate() == [])
        if order == .memberFirst {
            let again = try await desk.sync().notes
            #expect(again == report.notes)
            let own = mode == .write ? ["/t/b.md", "/t/late.md", "/t/words.md"] : []
            let changes = try desk.lockbook.status().changes
            #expect(changes.map(\.path) == own)
            #expect(changes.allSatisfy { $0.heldBack != nil })
            try await accept(laptop)
        }
        #expect(try await desk.sync().notes.isEmpty)
        try await isWhole(bob, desk)
        try await laptop.sync()
        try await isWhole(ada, laptop)
        #expect(try desk.paths() == before)
        guard mode == .write else { return }
        #expect(try await laptop.text("/t/b.md") == "b of bob")
        #expect(try await laptop.text("/t/words.md") == "words")
        #expect(try await laptop.text("/t/late.md") == "late")
    }

    @Test func `a device that had not seen the second share leaves the link to it alone`()
        async throws
    {
        let (laptop, desk) = try await shared()
        let notebook = try await bob.device(named: "notebook", like: desk)
        try laptop.write("/t/b.md", "b")
        try await laptop.sync()
        try await losing { try await share("/t", .write, laptop, desk) }
        try await accept(desk)
        for _ in 1...2 { #expect(try await notebook.sync().notes.isEmpty) }
        try await accept(laptop)
        try await isWhole(bob, notebook, desk)
        #expect(try await notebook.text("/t/b.md") == "b")
    }

    @Test func `what others wrote in a share that was taken back is nobody else's`() async throws {
        let (laptop, desk) = try await shared()
        try await losing {
            try laptop.write("/team/own.md", "of ada")
            try desk.write("/team/bobs.md", "of bob")
            try await laptop.sync()
            try await desk.sync()
            try await laptop.sync()
        }
        try await accept(laptop)
        try await takeBack(laptop)
        let report = try await accept(desk)
        #expect(report.notes.map(\.kind) == [.keptOwn, .takenBack])
        #expect(try desk.paths() == ["/bobs.md"])
        try await isWhole(bob, desk)
    }

    @Test func `what may only be read is as the server has it until its owner has accepted`()
        async throws
    {
        let (laptop, desk) = try await shared(.read)
        try await losing {
            try laptop.write("/team/new/own.md", "of ada")
            try laptop.write("/team/plan.md", "later plan")
            try await laptop.sync()
            try await desk.sync()
        }
        #expect(try await accept(desk).notes.isEmpty)
        #expect(try desk.paths() == ["/team", "/team/plan.md"])
        try laptop.write("/team/plan.md", "last plan")
        try await accept(laptop)
        #expect(try await desk.sync().notes.isEmpty)
        #expect(try await desk.text("/team/plan.md") == "last plan")
        #expect(try await desk.text("/team/new/own.md") == "of ada")
        try await isWhole(bob, desk)
        try await isWhole(ada, laptop)
    }

    @Test func `a second share that may only be read is as its owner brings it again`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.write("/t/b.md", "b\n")
        try await laptop.sync()
        try await losing {
            try await share("/t", .read, laptop, desk)
            try laptop.write("/t/b.md", "b\nseen\n")
            try await laptop.sync()
            try await desk.sync()
            try laptop.write("/t/b.md", "b\nanother\n")
        }
        try await accept(desk)
        try await accept(laptop)
        #expect(try await desk.sync().notes.isEmpty)
        #expect(try await desk.text("/t/b.md") == "b\nanother\n")
        try await isWhole(bob, desk)
        try await isWhole(ada, laptop)
    }
}
