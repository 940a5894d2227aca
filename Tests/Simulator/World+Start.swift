import LockbookCrypto
import LockbookEngine
import LockbookModel

extension World {
    static let address = "http://127.0.0.1:7654"

    static let usernames = ["ann", "ben", "cat"]

    /// The accounts of this world.
    var accounts: Range<Int> { 0..<(plan.accounts.max() ?? 0) + 1 }

    /// The devices as they were prepared, each with a process of its own.
    func setUp(from beginning: Beginning) throws {
        for (number, folder) in beginning.devices.enumerated() {
            let copy = try folder.copy("\(name)-\(number)-0")
            try makeDevice(of: plan.account(of: number), copy).open()
        }
    }

    /// Makes accounts that the server knows and devices that synced once, and ends all processes.
    func begin() async throws -> Beginning {
        var draw = Draw(plan.seed, 2)
        for number in 0..<plan.deviceCount {
            let account = plan.account(of: number)
            let isFirst = !devices.contains { $0.account == account }
            let device = makeDevice(of: account)
            if isFirst { try createAccount(on: device) } else { try await join(device) }
            try await sync(device, [], &draw)
        }
        for device in devices { device.close() }
        try server.close()
        return Beginning(server: server.folder, devices: devices.map(\.folder))
    }

    private func createAccount(on device: SimulatedDevice) throws {
        device.use(
            try Lockbook.createAccount(
                username: Self.usernames[device.account],
                server: try ServerAddress(Self.address),
                directory: device.folder.path,
                environment: device.environment
            )
        )
    }

    /// The first device of an account.
    func first(of account: Int) throws -> SimulatedDevice {
        guard let device = devices.first(where: { $0.account == account }) else {
            throw Broken("an account without a device")
        }
        return device
    }

    /// A device that knows the account's words.
    func join(_ device: SimulatedDevice) async throws {
        guard let phrase = try first(of: device.account).lockbook?.recoveryPhrase() else { return }
        device.use(
            try await Lockbook.importAccount(
                key: phrase.joined(separator: " "),
                server: try ServerAddress(Self.address),
                directory: device.folder.path,
                environment: device.environment
            ).lockbook
        )
    }

    /// A device without an account, or with a folder that is there already.
    func makeDevice(of account: Int, _ folder: SimulatedFolder? = nil) -> SimulatedDevice {
        let number = devices.count
        let bytes = SeededBytes()
        let clockError = ClockError()
        let clock = clock
        bytes.restart(Draw(plan.seed, 3, UInt64(number)))
        var environment = EngineEnvironment.system
        environment.historyPatience = .seconds(3_600)
        environment.now = { Timestamp(milliseconds: clock.now + clockError.value) }
        environment.random = bytes.source
        environment.deviceName = "device\(number)"
        // The oracle looks for every word that was written; what is purged has none.
        environment.trashDays = nil
        environment.lazyByteCount = plan.lazyByteCount
        // Which of two comes first is not the plan's to say.
        environment.prefetchByteCount = .max
        environment.checkpointRecordCount = plan.checkpointRecordCount
        plan.portions.set(in: &environment)
        // What others share is merged at once: so much is in no log of a world.
        if plan.isSharing { environment.waitingByteCount = .max / 8 }
        environment.connect = { _ in SimulatedConnection(world: self, device: number) }
        let device = SimulatedDevice(
            number: number,
            account: account,
            prefix: name,
            environment: environment,
            bytes: bytes,
            clockError: clockError,
            folder: folder
        )
        devices.append(device)
        return device
    }
}
