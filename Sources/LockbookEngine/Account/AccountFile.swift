import FoundationEssentials
import Glibc
import LockbookCrypto
import LockbookModel

/// The key file: the account's seed and what else must not stand in the database.
///
/// It is the only place on this device from which anything can be read; mode 0600 in a folder of
/// mode 0700.
struct AccountFile: Sendable, Equatable {
    static let fileName = "account.json"
    /// The name that it has while the account is removed.
    static let leavingName = "account.json.leaving"
    static let format: Int64 = 1

    var username: String
    var seed: AccountSeed
    var deviceKey: DeviceKey
    var device: DeviceID
    var server: ServerAddress
    var created: Timestamp
    let directory: String

    static func == (left: AccountFile, right: AccountFile) -> Bool {
        left.username == right.username && left.seed == right.seed
            && left.device == right.device && left.directory == right.directory
    }

    private struct Stored: Encodable {
        var format: Int64
        var username: String
        var seed: String
        var device: String
        var deviceKey: String
        var server: String
        var serverCertificate: String?
        var created: Int64
    }

    private struct Version: Decodable {
        var format: Int64
    }

    static func path(in directory: String) -> String { directory + "/" + fileName }

    /// Whether this looks like a key file, of whatever account.
    static func isKey(_ bytes: [UInt8]) -> Bool {
        guard let stored = FlatJSON(bytes)?.strings else { return false }
        return [stored["seed"], stored["deviceKey"]].allSatisfy {
            $0.flatMap { [UInt8](hex: $0) } != nil
        }
    }

    /// Reads the key file.
    /// - Throws: `.noAccount`, `.updateNeeded`, `.wrongModes`, `.damagedKeyFile`, `.io`.
    init(directory: String) throws {
        let path = Self.path(in: directory)
        let bytes: [UInt8]
        do {
            try Self.returnIfLeft(in: directory)
            try Self.mendModes(path, directory: directory)
            bytes = try Disk.contents(of: path)
        } catch let failure as DiskFailure {
            if failure.code == ENOENT || failure.code == ENOTDIR {
                throw LockbookError.noAccount(directory: directory)
            }
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
        let stored = FlatJSON(bytes)
        // A later format may be no flat object any more: its number is looked for by itself then.
        let format =
            stored?.numbers["format"]
            ?? (try? JSONDecoder().decode(Version.self, from: Data(bytes)))?.format
        guard let format else {
            throw LockbookError.damagedKeyFile(path: path)
        }
        guard format <= Self.format else {
            throw LockbookError.updateNeeded(what: "the key file \(path)")
        }
        func value(_ name: String) -> [UInt8]? {
            stored?.strings[name].flatMap { [UInt8](hex: $0) }
        }
        guard let stored, let name = stored.strings["username"],
            let address = stored.strings["server"], let created = stored.numbers["created"],
            let seed = value("seed").flatMap({ AccountSeed($0) }),
            let device = value("device").flatMap({ DeviceID($0[...]) }),
            let deviceKey = value("deviceKey").flatMap({ DeviceKey($0) })
        else { throw LockbookError.damagedKeyFile(path: path) }
        username = name
        self.seed = seed
        self.device = device
        self.deviceKey = deviceKey
        server = try ServerAddress(
            url: address,
            certificate: stored.strings["serverCertificate"]
        )
        self.created = Timestamp(milliseconds: created)
        self.directory = directory
    }

    init(
        username: String,
        seed: AccountSeed,
        server: ServerAddress,
        directory: String,
        environment: EngineEnvironment
    ) {
        self.username = username
        self.seed = seed
        self.server = server
        self.directory = directory
        deviceKey = DeviceKey(random: environment.random)
        device = DeviceID(random: environment.random)
        created = environment.now()
    }

    /// Gives the key its name back where the removing of the account was cut off.
    private static func returnIfLeft(in directory: String) throws {
        let path = path(in: directory)
        guard !Disk.exists(path) else { return }
        let left = directory + "/" + leavingName
        guard Disk.exists(left) else { return }
        _ = try Disk.retry(path) { rename(left, path) }
    }

    /// Writes the key file and makes it durable, before anybody else hears of the account.
    func save() throws {
        let stored = Stored(
            format: Self.format,
            username: username,
            seed: seed.bytes.hex,
            device: device.bytes.hex,
            deviceKey: deviceKey.bytes.hex,
            server: server.url,
            serverCertificate: server.certificate,
            created: created.milliseconds
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try Disk.makeFolder(directory)
        _ = try Disk.retry(directory) { chmod(directory, 0o700) }
        try Disk.replace(Self.path(in: directory), with: Array(try encoder.encode(stored)))
        try Disk.syncFolder(Disk.parent(of: directory))
    }

    /// Sees that a folder is this user's alone, and was so, before an account is made in it.
    ///
    /// A link that somebody else put there would lead elsewhere what is written, or what is removed.
    static func takeFolder(_ directory: String) throws {
        let folder = try DiskFile(directory, flags: O_RDONLY | O_DIRECTORY)
        let status = try folder.status()
        guard status.st_uid == geteuid() else {
            throw LockbookError.io(path: directory, reason: "it is another user's folder")
        }
        guard status.st_mode & 0o022 != 0 else { return }
        // Nobody puts something there once it has been looked at.
        _ = try Disk.retry(directory) { fchmod(folder.descriptor, 0o700) }
        guard try Disk.names(in: folder).isEmpty else {
            fchmod(folder.descriptor, status.st_mode & 0o7777)
            throw LockbookError.io(
                path: directory,
                reason: "others may write there, and something is in it: take an empty folder, or "
                    + "see that all in it is yours, and `chmod 700` it"
            )
        }
    }

    /// Takes away rights that others have on the key; refuses a key of somebody else.
    private static func mendModes(_ path: String, directory: String) throws {
        let file = try Disk.status(path)
        guard file.st_mode & S_IFMT == S_IFREG, file.st_uid == geteuid() else {
            throw LockbookError.wrongModes(path: path)
        }
        if file.st_mode & 0o077 != 0 {
            _ = try Disk.retry(path) { chmod(path, 0o600) }
        }
        let folder = try Disk.status(directory, followLinks: true)
        if folder.st_mode & 0o077 != 0, folder.st_uid == geteuid() {
            _ = try Disk.retry(directory) { chmod(directory, 0o700) }
        }
    }
}
