import FoundationEssentials
import Glibc
import SimulatedDisk

/// A data folder of a device or server: databases on a simulated disk, other files below `/dev/shm`.
package final class SimulatedFolder: Sendable {
    let path: String
    // The address of a disk, whose functions take its lock themselves.
    private let address: UInt
    private var disk: OpaquePointer? { OpaquePointer(bitPattern: address) }

    /// Below it every database is simulated.
    private static let base: String = {
        let parent =
            access("/dev/shm", W_OK) == 0 ? "/dev/shm" : FileManager.default.temporaryDirectory.path
        // A process that was killed leaves its folder, and another one gets its number.
        var template = Array("\(parent)/lockbook-simulation-XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil, "no folder can be made in \(parent)")
        let path = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
        precondition(simulated_disk_register(path + "/"), "SQLite takes no simulated disk")
        return path
    }()

    /// Where a folder is that is no data folder: a real one, which no crash takes anything from.
    static func place(_ name: String) -> String { "\(base)/\(name)" }

    /// A new folder with nothing in it.
    static func empty(_ name: String) -> SimulatedFolder {
        let path = "\(base)/\(name)"
        return SimulatedFolder(path: path, disk: simulated_disk_create(path))
    }

    /// Removes the folder that all others are in, once none is used any more.
    package static func removeBase() {
        Beginning.forgetAll()
        rmdir(base)
    }

    private init(path: String, disk: OpaquePointer?) {
        self.path = path
        address = UInt(bitPattern: disk)
        mkdir(path, 0o700)
    }

    deinit {
        simulated_disk_release(disk)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A copy as `cp` makes one while nobody writes.
    func copy(_ name: String) throws -> SimulatedFolder {
        let path = "\(Self.base)/\(name)"
        let copy = SimulatedFolder(path: path, disk: simulated_disk_copy(disk, path))
        try copyFiles(to: copy)
        return copy
    }

    /// What is there after a power cut; this folder is of no use any more.
    func crashed(_ name: String, seed: UInt64) throws -> SimulatedFolder {
        simulated_disk_kill(disk)
        let path = "\(Self.base)/\(name)"
        let copy = SimulatedFolder(path: path, disk: simulated_disk_crash_copy(disk, path, seed))
        try copyFiles(to: copy)
        var draw = Draw(seed)
        try copy.tearUnfinishedFiles(&draw)
        return copy
    }

    /// Nothing that is done from now on reaches the disk.
    func kill() { simulated_disk_kill(disk) }

    var isDead: Bool { simulated_disk_is_dead(disk) }

    /// The operation with this number kills the process.
    func die(atOperation number: UInt64) {
        simulated_disk_fail_after(disk, number, SIMULATED_DEATH)
    }

    /// The operation with this number finds no space.
    func fill(atOperation number: UInt64) {
        simulated_disk_fail_after(disk, number, SIMULATED_FULL)
    }

    /// Counts an operation on a file beside the databases.
    /// - Returns: false when the process is dead, or dies over it.
    func operate() -> Bool { simulated_disk_operate(disk) }

    func spare() { simulated_disk_fail_after(disk, 0, SIMULATED_DEATH) }

    /// How often a failure that was asked for happened.
    var failures: UInt64 { simulated_disk_failures(disk) }

    /// Operations so far that changed the databases.
    var operations: UInt64 { simulated_disk_operations(disk) }

    // MARK: Files

    private func copyFiles(to other: SimulatedFolder) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
            try FileManager.default.copyItem(
                atPath: "\(path)/\(name)",
                toPath: "\(other.path)/\(name)"
            )
        }
    }

    /// Files that nobody synced yet may have lost any part of what was written.
    private func tearUnfinishedFiles(_ draw: inout Draw) throws {
        let shares = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/shares")) ?? []
        let stores = [path] + shares.sorted().map { "\(path)/shares/\($0)" }
        for folder in stores.flatMap({ ["\($0)/blobs", "\($0)/blobs/uploads"] }) {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names.sorted()
            where folder.hasSuffix("uploads") || name.hasPrefix("new-") || name.hasPrefix("part-") {
                var status = stat()
                guard stat("\(folder)/\(name)", &status) == 0 else { continue }
                guard status.st_mode & S_IFMT == S_IFREG else { continue }
                try tear("\(folder)/\(name)", Int(status.st_size), &draw)
            }
        }
    }

    private static let blockByteCount = 4_096

    /// All of it is there, or its beginning, or its length with blocks that were not written: these
    /// hold zeros, or what the disk had there before.
    private func tear(_ path: String, _ byteCount: Int, _ draw: inout Draw) throws {
        let manner = draw.below(5)
        if manner == 0 { return }
        let left = manner < 4 ? draw.below(byteCount + 1) : byteCount
        if manner < 3 {
            truncate(path, off_t(left))
            return
        }
        let descriptor = open(path, O_WRONLY)
        guard descriptor >= 0 else { throw Broken("a file cannot be torn") }
        defer { close(descriptor) }
        let old: UInt8 = draw.once(in: 2) ? 0 : 0xa5
        let block = [UInt8](repeating: old, count: Self.blockByteCount)
        let few = 1 << draw.below(10)
        for offset in stride(from: 0, to: byteCount, by: block.count)
        where manner == 3 ? offset >= left : draw.once(in: few) {
            pwrite(descriptor, block, min(block.count, byteCount - offset), off_t(offset))
        }
    }
}
