import LockbookEngine
import LockbookTestSupport
import Testing

/// What goes through a share between two syncs: into it with its folder, and out of it again.
struct MovedThroughTests {
    @Test(arguments: [true, false])
    func `a folder that goes through a share takes what was shared in it along`(_ isDeleted: Bool)
        async throws
    {
        let server = try TestServer()
        let ada = Person("ada", on: server)
        let laptop = try await ada.firstDevice()
        let desk = try await Person("bob", on: server).firstDevice(named: "desk")
        try await desk.sync()
        try laptop.write("/x/w/e.json", "{}")
        try laptop.write("/y/other.md", "other")
        try await laptop.sync()
        for path in ["/x/w/e.json", "/y"] {
            _ = try await laptop.lockbook.share(.path(path), with: "bob", mode: .write)
        }
        try await laptop.sync()

        if isDeleted { try laptop.delete("/x/w/e.json") }
        try laptop.move("/x", to: "/y/")
        try laptop.move("/y/x/w", to: "/")
        try await laptop.sync()
        try await desk.sync()
        #expect(try laptop.lockbook.validate() == [])
        try await converge(ada, laptop, try await ada.device(named: "phone", like: laptop))
        if isDeleted {
            _ = try laptop.lockbook.restore([.path("/w/e.json")])
            try await laptop.sync()
        }
        #expect(try await laptop.text("/w/e.json") == "{}")
        try await desk.sync()
        #expect(try desk.lockbook.offers().map(\.name).sorted() == ["e.json", "y"])
    }
}
