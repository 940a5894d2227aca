import LockbookCrypto
import LockbookEngine
import LockbookModel

extension World {
    static let address = "http://127.0.0.1:7654"

    /// The devices, with an account that the server knows.
    func setUp() async throws {
        let first = makeDevice()
        first.use(
            try Lockbook.createAccount(
                username: "ann",
                server: try ServerAddress(Self.address),
                directory: first.folder.path,
                environment: first.environment
            )
        )
        var draw = Draw(plan.seed, 2)
        try await sync(first, [], &draw)
        while devices.count < plan.deviceCount {
            let device = makeDevice()
            try await join(device)
            try await sync(device, [], &draw)
        }
    }

    /// A device that knows the account's words.
    func join(_ device: SimulatedDevice) async throws {
        guard let phrase = devices[0].lockbook?.recoveryPhrase() else { return }
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
    func makeDevice(_ folder: SimulatedFolder? = nil) -> SimulatedDevice {
        let number = devices.count
        let bytes = SeededBytes()
        let clockError = ClockError()
        let clock = clock
        bytes.restart(Draw(plan.seed, 3, UInt64(number)))
        var environment = EngineEnvironment.system
        environment.now = { Timestamp(milliseconds: clock.now + clockError.value) }
        environment.random = bytes.source
        environment.deviceName = "device\(number)"
        // The oracle looks for every word that was written; what is purged has none.
        environment.trashDays = nil
        environment.lazyByteCount = plan.lazyByteCount
        environment.checkpointRecordCount = plan.checkpointRecordCount
        environment.connect = { _ in SimulatedConnection(world: self, device: number) }
        let device = SimulatedDevice(
            number: number,
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
