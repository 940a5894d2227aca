import LockbookEngine
import LockbookTestSupport
import Testing

/// People on one server who share with each other.
struct Sharers {
    let server: TestServer
    let ada: Person
    let bob: Person
    let carol: Person

    /// - Parameter pageByteCount: the bytes of records that one answer aims at; nil for the usual ones.
    init(pageByteCount: Int? = nil) throws {
        server = try TestServer(pageByteCount: pageByteCount)
        ada = Person("ada", on: server)
        bob = Person("bob", on: server)
        carol = Person("carol", on: server)
    }

    /// A device each, of which ada's has synced these notes, path and text.
    func oneDeviceEach(holding notes: KeyValuePairs<String, String>) async throws -> (
        laptop: Device, desk: Device, tablet: Device
    ) {
        let laptop = try await ada.firstDevice(holding: notes)
        let desk = try await bob.firstDevice(named: "desk")
        let tablet = try await carol.firstDevice(named: "tablet")
        return (laptop, desk, tablet)
    }

    /// Two devices of ada's that both hold these notes, path and text, and one each of the others.
    func devices(holding notes: KeyValuePairs<String, String>) async throws -> (
        laptop: Device, phone: Device, desk: Device, tablet: Device
    ) {
        let (laptop, phone) = try await ada.twoDevices(holding: notes)
        let desk = try await bob.firstDevice(named: "desk")
        let tablet = try await carol.firstDevice(named: "tablet")
        return (laptop, phone, desk, tablet)
    }
}

/// Stories of ada, who shares what she has with the others.
protocol SharingStories {
    var people: Sharers { get }
}

extension SharingStories {
    var ada: Person { people.ada }
    var bob: Person { people.bob }
    var carol: Person { people.carol }

    /// Ada's laptop with notes below `/team`, each with its path in it, shared with bob, whose desk
    /// has it as `/team` too.
    func shared(_ mode: ShareRight = .write, holding notes: [String] = ["plan.md"])
        async throws -> (laptop: Device, desk: Device)
    {
        let laptop = try await ada.firstDevice()
        _ = try laptop.lockbook.create(path: "/team/")
        for note in notes { try laptop.write("/team/\(note)", note) }
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/team", mode, laptop, desk)
        return (laptop, desk)
    }

    func share(_ path: String, _ mode: ShareRight, _ laptop: Device, _ device: Device)
        async throws
    {
        try await share([path], mode, laptop, device)
    }

    /// Lets in whose device that is, in one sync, and he accepts all that he is offered.
    func share(_ paths: [String], _ mode: ShareRight, _ laptop: Device, _ device: Device)
        async throws
    {
        let user = try device.lockbook.status().username
        for path in paths {
            _ = try await laptop.lockbook.share(.path(path), with: user, mode: mode)
        }
        try await laptop.sync()
        try await device.sync()
        for offer in try device.lockbook.offers() {
            _ = try device.lockbook.acceptShare(id: offer.id)
        }
        try await device.sync()
    }

    /// Offers bob `/team` for good, and his desk hears of it.
    func give(_ laptop: Device, _ desk: Device) async throws {
        _ = try laptop.lockbook.transfer(.path("/team"), to: "bob")
        try await laptop.sync()
        try await desk.sync()
    }

    /// Takes over what is offered there.
    func take(_ desk: Device) async throws {
        let offer = try #require(try desk.lockbook.offers().first { $0.transfer })
        _ = try await desk.lockbook.accept(id: offer.id)
    }

    /// Devices of ada, who owns `/team`, and of bob and carol, who write there.
    func members(holding notes: [String]) async throws -> [Device] {
        let (laptop, desk) = try await shared(holding: notes)
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .write, laptop, tablet)
        return [laptop, desk, tablet]
    }

    /// What the first of them shares is the second one's now, and everybody knows.
    func handOver(_ devices: [Device]) async throws {
        try await sync(devices)
        try await give(devices[0], devices[1])
        try await take(devices[1])
        try await sync(devices)
    }

    /// Often enough that everybody knows what all the others did.
    func sync(_ devices: [Device]) async throws {
        for _ in 0..<3 { for device in devices { try await device.sync() } }
    }
}
