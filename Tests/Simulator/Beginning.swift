import Synchronization

/// The folders of devices and server as they are before the first event: made once by the real
/// programs, then copied for every world that begins in the same way.
final class Beginning: Sendable {
    let server: SimulatedFolder
    let devices: [SimulatedFolder]

    init(server: SimulatedFolder, devices: [SimulatedFolder]) {
        self.server = server
        self.devices = devices
    }

    private struct Key: Hashable {
        let deviceCount: Int
        let accounts: [Int]
    }

    private static let made = Mutex<[Key: Beginning]>([:])

    /// The beginning of a plan's world.
    static func of(_ plan: Plan) async throws -> Beginning {
        let key = Key(deviceCount: plan.deviceCount, accounts: plan.accounts)
        if let known = made.withLock({ $0[key] }) { return known }
        // Whichever seed comes first: the accounts are the same for all. Where two workers make
        // them at a time, both make the same.
        var first = plan
        first.seed = 0
        let beginning = try await World(plan: first, server: nil).begin()
        made.withLock { $0[key] = beginning }
        return beginning
    }

    /// Lets go of all folders.
    static func forgetAll() {
        made.withLock { $0 = [:] }
    }
}
