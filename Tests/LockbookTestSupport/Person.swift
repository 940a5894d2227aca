import Foundation
package import LockbookCrypto
package import LockbookEngine

/// Somebody with an account and devices.
package final class Person: Sendable {
    package let name: String
    package let server: TestServer

    package init(_ name: String, on server: TestServer) {
        self.name = name
        self.server = server
    }

    /// The first device makes the account and tells the server.
    package func firstDevice(named name: String = "laptop", registered: Bool = true) async throws
        -> Device
    {
        let device = try Device(name: name, server: server) { directory, environment in
            try Lockbook.createAccount(
                username: self.name,
                server: try ServerAddress("http://127.0.0.1:7654"),
                directory: directory,
                environment: environment
            )
        }
        if registered { try await device.sync() }
        return device
    }

    /// Another device, from the words of an earlier one.
    package func device(named name: String, like other: Device, synced: Bool = true) async throws
        -> Device
    {
        try await device(
            named: name,
            by: other.lockbook.recoveryPhrase().joined(separator: " "),
            synced: synced
        )
    }

    /// - Parameter key: 24 words, or a key in one line.
    package func device(named name: String, by key: String, synced: Bool = true) async throws
        -> Device
    {
        let device = try await Device(name: name, server: server) { directory, environment in
            try await Lockbook.importAccount(
                key: key,
                server: try ServerAddress("http://127.0.0.1:7654"),
                directory: directory,
                environment: environment
            ).lockbook
        }
        if synced { try await device.sync() }
        return device
    }

    /// The account's first device, which has synced these notes: path and text.
    package func firstDevice(holding notes: KeyValuePairs<String, String>) async throws -> Device {
        let laptop = try await firstDevice()
        for (path, text) in notes {
            if path.hasSuffix("/") {
                _ = try laptop.lockbook.create(path: path)
            } else {
                try laptop.write(path, text)
            }
        }
        try await laptop.sync()
        return laptop
    }

    /// A laptop and a phone that both hold these notes: path and text.
    package func twoDevices(holding notes: KeyValuePairs<String, String> = [:]) async throws
        -> (Device, Device)
    {
        let laptop = try await firstDevice(holding: notes)
        return (laptop, try await device(named: "phone", like: laptop))
    }
}

/// One data directory of an account.
package final class Device: Sendable {
    package let name: String
    package let lockbook: Lockbook
    package let faults = WireFaults()
    package let clock = DeviceClock()
    package let directory: String
    private let ownsDirectory: Bool
    let server: TestServer

    init(
        name: String,
        server: TestServer,
        _ make: (String, EngineEnvironment) throws -> Lockbook
    ) throws {
        self.name = name
        self.server = server
        directory = Self.newDirectory()
        ownsDirectory = true
        lockbook = try make(directory, Self.environment(name, server, faults, clock))
    }

    init(
        name: String,
        server: TestServer,
        _ make: (String, EngineEnvironment) async throws -> Lockbook
    ) async throws {
        self.name = name
        self.server = server
        directory = Self.newDirectory()
        ownsDirectory = true
        lockbook = try await make(directory, Self.environment(name, server, faults, clock))
    }

    /// The same device once more, from a copy of its data directory.
    package func twin() throws -> Device {
        try Device(name: name, server: server) { copy, environment in
            try FileManager.default.copyItem(atPath: directory, toPath: copy)
            return try Lockbook.open(directory: copy, environment: environment)
        }
    }

    /// The same data directory, as another process opens it; gone with the device that made it.
    /// - Parameters:
    ///   - count: how many new files it pushes in one entry; nil for the usual number.
    ///   - scopes: of how many scopes it pushes something in one entry; nil for the usual number.
    ///   - records: after how many it signs a checkpoint; nil for the usual number.
    ///   - deepPaths: how many bytes of long paths an export takes; nil for the usual number.
    ///   - logs: how many of others' it follows at once; nil for the usual number.
    ///   - unseen: what it spends on entries after one another that are about what it does not see; nil for
    ///     the usual number.
    ///   - ahead: how many bytes of what it seals travel together meanwhile; nil for the usual number.
    ///   - waiting: how many bytes of records wait for the rest of a log; nil for the usual number.
    ///   - random: what it draws ids and keys from; nil for the system's.
    ///   - busy: called when another process keeps a change of it waiting.
    package func again(
        pushing count: Int? = nil,
        ofScopes scopes: Int? = nil,
        signingAfter records: Int64? = nil,
        deepPaths: Int? = nil,
        undoing files: Int? = nil,
        following logs: Int? = nil,
        passing unseen: Int? = nil,
        readingInVain vain: Int? = nil,
        sendingAhead ahead: Int? = nil,
        holding waiting: Int? = nil,
        random: RandomSource? = nil,
        busy: @escaping @Sendable () -> Void = {}
    ) throws -> Device {
        try Device(sharing: self) { environment in
            environment.pushRecordCount = count ?? environment.pushRecordCount
            environment.pushScopeCount = scopes ?? environment.pushScopeCount
            environment.checkpointRecordCount = records ?? environment.checkpointRecordCount
            environment.deepPathByteCount = deepPaths ?? environment.deepPathByteCount
            environment.undoneFileCount = files ?? environment.undoneFileCount
            environment.followedLogCount = logs ?? environment.followedLogCount
            environment.unseenBudget = unseen ?? environment.unseenBudget
            environment.vainByteCount = vain ?? environment.vainByteCount
            environment.aheadByteCount = ahead ?? environment.aheadByteCount
            environment.waitingByteCount = waiting ?? environment.waitingByteCount
            environment.random = random ?? environment.random
            environment.busy = busy
        }
    }

    private init(sharing other: Device, _ change: (inout EngineEnvironment) -> Void) throws {
        name = other.name
        server = other.server
        directory = other.directory
        ownsDirectory = false
        var environment = Self.environment(name, server, faults, clock)
        change(&environment)
        lockbook = try Lockbook.open(directory: other.directory, environment: environment)
    }

    deinit {
        if ownsDirectory { try? FileManager.default.removeItem(atPath: directory) }
    }

    private static func newDirectory() -> String {
        FileManager.default.temporaryDirectory
            .appending(path: "lockbook-device-\(UUID().uuidString)").path
    }

    private static func environment(
        _ name: String,
        _ server: TestServer,
        _ faults: WireFaults,
        _ clock: DeviceClock
    ) -> EngineEnvironment {
        var environment = EngineEnvironment.system
        // Whatever the variables say of the process that runs the tests.
        (environment.lazyByteCount, environment.trashDays) = (10_000_000, 30)
        // On a busy machine an answer may take as long as it likes.
        environment.historyPatience = .seconds(3_600)
        environment.now = { clock.now(EngineEnvironment.system.now()) }
        environment.deviceName = name
        environment.connect = { _ in InProcessConnection(server: server, faults: faults) }
        return environment
    }

    @discardableResult
    package func sync(_ options: SyncOptions = SyncOptions()) async throws -> SyncReport {
        try await lockbook.sync(options)
    }

    package func write(_ path: String, _ text: String) throws {
        var bytes: [UInt8]? = Array(text.utf8)
        try lockbook.write(FileReference(path), append: false) {
            defer { bytes = nil }
            return bytes
        }
    }

    package func text(_ path: String) async throws -> String {
        var bytes: [UInt8] = []
        try await lockbook.read(FileReference(path)) { bytes.append(contentsOf: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    package func move(_ path: String, to destination: String) throws {
        _ = try lockbook.move([FileReference(path)], to: destination)
    }

    package func delete(_ path: String) throws {
        _ = try lockbook.delete([FileReference(path)])
    }

    /// Every path, folders with a slash.
    package func paths() throws -> [String] {
        try lockbook.list(.path("/"), recursive: true).map {
            $0.path + ($0.type == .folder ? "/" : "")
        }
    }

    /// Every path with its id and, for documents, its text.
    package func snapshot() async throws -> [String] {
        var lines: [String] = []
        for file in try lockbook.list(.path("/"), recursive: true) {
            let text = file.type == .document ? try await text("id:\(file.id)") : ""
            lines.append("\(file.id) \(file.path) \(file.type) \(text)")
        }
        return lines
    }
}
