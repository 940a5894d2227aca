import FoundationEssentials
import GRDB
import LockbookEngine
import LockbookModel

/// One data folder with the process that has it open.
final class SimulatedDevice {
    let number: Int
    /// Whose it is.
    let account: Int
    let name: String
    private(set) var folder: SimulatedFolder
    private(set) var lockbook: Lockbook?
    let environment: EngineEnvironment
    let bytes: SeededBytes
    let clockError: ClockError
    /// Set while a sync of it waits for an answer.
    var isSyncing = false
    /// What happens at which request of the sync that runs.
    var interruptions: [Interruption] = []
    var requests = 0
    /// Requests of that sync that were under way so long that their time was not right any more.
    var lateSignatures = 0
    /// The step at which the last complete sync began; what was done before is at the server.
    var syncedUpTo = 0
    var backup: (folder: SimulatedFolder, step: Int)?
    private var starts = 0
    private let prefix: String

    init(
        number: Int,
        account: Int,
        prefix: String,
        environment: EngineEnvironment,
        bytes: SeededBytes,
        clockError: ClockError,
        folder: SimulatedFolder? = nil
    ) {
        self.number = number
        self.account = account
        name = environment.deviceName
        self.prefix = "\(prefix)-\(number)"
        self.environment = environment
        self.bytes = bytes
        self.clockError = clockError
        self.folder = folder ?? SimulatedFolder.empty("\(self.prefix)-0")
    }

    func nextName() -> String {
        starts += 1
        return "\(prefix)-\(starts)"
    }

    func use(_ lockbook: Lockbook) {
        self.lockbook = lockbook
    }

    func close() {
        lockbook = nil
    }

    func open() throws {
        close()
        lockbook = try Lockbook.open(directory: folder.path, environment: environment)
    }

    /// The process ends as it should, and another one begins.
    func restart() throws {
        try open()
    }

    /// The process dies, and another one begins with what a power cut left.
    func crash(seed: UInt64) throws {
        folder.kill()
        close()
        folder = try folder.crashed(nextName(), seed: seed)
        try open()
    }

    /// A failure without the place of the folder, which is another one in every process.
    func plain(_ error: LockbookError) -> String {
        "\(error)".replacing(folder.path, with: "FOLDER")
    }

    /// What others share with it, by the names of their folders.
    var shares: [String] {
        let path = folder.path + "/shares"
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
            .map { "\(path)/\($0)/lockbook.db" }
    }

    /// Keeps the stores of what others share open, as the device's own is: closing the last
    /// connection writes what is in the log of writes into the database, which is no change.
    /// - Returns: with whether a crash left none without a table, which is made when it is opened.
    func holdShares() throws -> (held: [DatabaseQueue], areWhole: Bool) {
        let queues = try shares.filter { FileManager.default.fileExists(atPath: $0) }.map { path in
            try DatabaseQueue(path: path)
        }
        let held = try queues.filter { queue in
            try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") } != 0
        }
        return (held, held.count == queues.count)
    }

    func keepBackup(step: Int) throws {
        backup = (try folder.copy(nextName()), step)
    }

    /// Puts the older copy in place of the folder.
    func restoreBackup() throws {
        guard let backup else { return }
        close()
        folder = try backup.folder.copy(nextName())
        try open()
    }
}
