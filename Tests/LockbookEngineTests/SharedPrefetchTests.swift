import LockbookEngine
import LockbookTestSupport
import Testing

/// Contents of what others share come while it is merged, where somebody wants them.
struct SharedPrefetchTests: SharingStories {
    let people: Sharers
    private let contents = (0..<6).map { noise(400_000, seed: UInt64(60 + $0)) }

    init() throws {
        people = try Sharers()
    }

    private func fill(_ folder: String, on laptop: Device) throws {
        for (number, content) in contents.enumerated() {
            try laptop.write("\(folder)/\(number).bin", content)
        }
    }

    private func contentRequests(of device: Device) -> Int {
        device.faults.takeRequests().filter { $0 == "/v1/blobs" }.count
    }

    @Test func `what is only offered is not fetched`() async throws {
        let laptop = try await ada.firstDevice()
        _ = try laptop.lockbook.create(path: "/team/")
        try fill("/team", on: laptop)
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
        try await laptop.sync()
        _ = contentRequests(of: desk)

        try await desk.sync()
        #expect(contentRequests(of: desk) == 0)

        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        try await desk.sync()
        #expect(contentRequests(of: desk) == 1)
        for (number, content) in contents.enumerated() {
            #expect(try await desk.text("/team/\(number).bin") == content)
        }
        #expect(desk.faults.takeRequests().isEmpty)
    }

    @Test func `what comes into an accepted share is asked for once`() async throws {
        let (laptop, desk) = try await shared(.read)
        try fill("/team", on: laptop)
        try await laptop.sync()
        _ = contentRequests(of: desk)

        try await desk.sync()

        #expect(contentRequests(of: desk) == 1)
        for (number, content) in contents.enumerated() {
            #expect(try await desk.text("/team/\(number).bin") == content)
        }
        #expect(desk.faults.takeRequests().isEmpty)
    }
}
