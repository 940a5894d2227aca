import LockbookEngine
import LockbookTestSupport
import Testing

/// Files whose keys were replaced more than once, or are others on each device.
extension RollbackSharedTests {
    @Test func `what was written between two new keys is not lost`() async throws {
        let (laptop, desk) = try await shared()
        try await losing {
            for round in 1...2 {
                try laptop.write("/team/plan.md", "plan \(round)")
                try await takeBack(laptop)
                try await grant(laptop)
                try await desk.sync()
            }
            try await takeBack(laptop)
            try laptop.write("/team/plan.md", "plan of three keys")
            try await laptop.sync()
        }
        try await accept(laptop)
        #expect(try await laptop.text("/team/plan.md") == "plan of three keys")
        try await isWhole(ada, laptop)
        #expect(try laptop.lockbook.shares().isEmpty)
    }

    @Test func `devices that know different keys of a file come to one`() async throws {
        let (laptop, desk) = try await shared()
        let phone = try await ada.device(named: "phone", like: laptop)
        try await losing {
            try laptop.write("/team/own.md", "own\n")
            try laptop.write("/team/new/deep.md", "deep\n")
            try await laptop.sync()
            try await phone.sync()
            try phone.write("/team/own.md", "own\nphone\n")
            try phone.write("/team/new/phone.md", "phone\n")
            try phone.write("/team/new/inner/phone.md", "inner\n")
            try await takeBack(laptop)
        }
        try await accept(laptop, phone)
        #expect(try await phone.again().text("/team/new/phone.md") == "phone\n")
        try await laptop.sync()
        try await isWhole(ada, phone, laptop)
        #expect(try await laptop.text("/team/own.md").contains("phone"))
        #expect(try await laptop.text("/team/new/phone.md") == "phone\n")
        #expect(try await laptop.text("/team/new/inner/phone.md") == "inner\n")
        try await accept(desk)
    }

    @Test func `earlier words on a device stay readable under other keys`() async throws {
        let (laptop, _) = try await shared()
        try await losing {
            try laptop.write("/team/own.md", "first")
            try laptop.write("/team/own.md", "second")
            try laptop.write("/team/plan.md", "unsynced")
            try laptop.write("/team/plan.md", "plan two")
            try await laptop.sync()
            try await takeBack(laptop)
            try laptop.write("/team/plan.md", "under a later key")
            try laptop.write("/team/plan.md", "plan three")
            try await laptop.sync()
        }
        func earlier(_ path: String) async throws -> Set<String> {
            var texts: Set<String> = []
            for version in try laptop.lockbook.versionsHere(.path(path)) {
                var bytes: [UInt8] = []
                try await laptop.lockbook.read(.path(path), version: version.version) {
                    bytes.append(contentsOf: $0)
                }
                texts.insert(String(decoding: bytes, as: UTF8.self))
            }
            return texts
        }
        #expect(try await earlier("/team/own.md").contains("first"))
        try await accept(laptop)
        #expect(try await earlier("/team/own.md").isSuperset(of: ["first", "second"]))
        #expect(
            try await earlier("/team/plan.md").isSuperset(of: ["unsynced", "under a later key"])
        )
    }
}

extension RollbackSharedTests {
    @Test func `what was written under keys that are others now is opened`() async throws {
        _ = try await carol.firstDevice(named: "tablet")
        func giveNewKeys(_ laptop: Device) async throws {
            _ = try await laptop.lockbook.share(.path("/team"), with: "carol", mode: .read)
            try await laptop.sync()
            try laptop.lockbook.setShare(.path("/team"), of: "carol", to: nil)
            try await laptop.sync()
        }
        let (laptop, desk) = try await sharedSince { laptop, desk in
            try await giveNewKeys(laptop)
            try await desk.sync()
            try desk.write("/team/words.md", "words")
        }
        try await accept(desk)
        try await accept(laptop)
        try await giveNewKeys(laptop)
        try await desk.sync()
        try await isWhole(bob, desk)
        try await laptop.sync()
        try await isWhole(ada, laptop)
        #expect(try await laptop.text("/team/words.md") == "words")
    }
}
