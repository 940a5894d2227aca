import FoundationEssentials
import LockbookEngine

/// What people copy out to the disk, and take in from it.
extension World {
    /// - Returns: what was done; nil when there was nothing to do it to.
    func disk(
        _ kind: Event.Kind,
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo],
        _ draw: inout Draw
    ) async throws -> String? {
        // Contents are fetched, which a sync would wait for.
        guard !device.isSyncing else { return nil }
        return kind == .mirror
            ? try await mirror(device, lockbook)
            : try await importFolder(device, lockbook, files, &draw)
    }

    private func mirrorPlace(of device: SimulatedDevice) -> String {
        SimulatedFolder.place("\(name)-\(device.number)-mirror")
    }

    private func notesPlace(of device: SimulatedDevice) -> String {
        SimulatedFolder.place("\(name)-\(device.number)-notes")
    }

    func forgetPlaces(of device: SimulatedDevice) {
        for place in [mirrorPlace(of: device), notesPlace(of: device)] {
            try? FileManager.default.removeItem(atPath: place)
        }
    }

    /// Every copy is brought up to date once more, whatever happened to the one before.
    func checkMirrors() async throws {
        for device in liveDevices {
            guard let lockbook = device.lockbook else { continue }
            let done = try await mirror(device, lockbook)
            trace("  device \(device.number): \(done ?? "")")
        }
    }

    // MARK: Out

    /// Afterwards the copy is byte for byte what the device has, unless the report names what is not.
    private func mirror(_ device: SimulatedDevice, _ lockbook: Lockbook) async throws -> String? {
        let place = mirrorPlace(of: device)
        var options = ExportOptions()
        options.mirror = true
        let report = try await lockbook.export(.path("/"), to: place, options: options) { _ in }
        tally.count("mirrors")
        tally.count("files of mirrors written", report.created + report.updated)
        tally.count("files of mirrors removed", report.removed)
        guard report.problems.isEmpty else {
            tally.count("mirrors that name what is missing")
            return "mirror, \(report.problems.count) problems"
        }
        let expected = try await copied(lockbook)
        let found = try onDisk(place)
        // What stands where a link is or was may be all that is left of it, and stays.
        let paths = plan.isSharing ? Set(expected.keys) : Set(expected.keys).union(found.keys)
        let differ = paths.filter { expected[$0] != found[$0] }
        try require(
            differ.isEmpty,
            "device \(device.number): a mirror differs in \(differ.sorted().prefix(3))"
        )
        return "mirror \(report.created) \(report.updated) \(report.removed)"
    }

    /// What a copy has to hold: bytes of documents, nil of folders.
    private func copied(_ lockbook: Lockbook) async throws -> [String: [UInt8]?] {
        var copied: [String: [UInt8]?] = [:]
        let files = try visible(lockbook)
        let links = Set(files.links.map(\.path))
        let elsewhere = Set(files.filter { !links.contains($0.path) }.map(\.id))
        // A link has what is behind it, if anything is, and stands in no other place already.
        for file in files
        where file.type != .link && !(links.contains(file.path) && elsewhere.contains(file.id)) {
            guard file.type == .document else {
                copied[file.path] = .some(nil)
                continue
            }
            var bytes: [UInt8] = []
            try await lockbook.read(.id(prefix: file.id)) { bytes += $0 }
            copied[file.path] = bytes
        }
        return copied
    }

    private func onDisk(_ place: String) throws -> [String: [UInt8]?] {
        var found: [String: [UInt8]?] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: place) {
            let url = "\(place)/\(path)"
            let isFolder = (try? FileManager.default.contentsOfDirectory(atPath: url)) != nil
            let bytes = isFolder ? nil : FileManager.default.contents(atPath: url)
            found["/\(path)"] = .some(bytes.map { Array($0) })
        }
        return found
    }

    // MARK: In

    /// What an editor or another program saved, at the time of this world.
    private func save(_ text: String, at path: String) throws {
        let disk = FileManager.default
        let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex))
        try disk.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guard disk.createFile(atPath: path, contents: Data(text.utf8)) else {
            throw Broken("no file can be written")
        }
        let time = Date(timeIntervalSince1970: Double(clock.now) / 1_000)
        try disk.setAttributes([.modificationDate: time], ofItemAtPath: path)
    }

    /// A few files are written on the disk, and the folder they are in is taken in.
    ///
    /// What was replaced is in the history, as after a command; what was not taken in is named.
    private func importFolder(
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo],
        _ draw: inout Draw
    ) async throws -> String? {
        let place = notesPlace(of: device)
        var tokens: [String: Int] = [:]
        for _ in 0...draw.below(2) {
            let folder = draw.weighted([(2, ""), (1, "/x"), (1, "/y")])
            let path = "\(folder)/\(draw.pick(["a.md", "b.md", "c.txt"]) ?? "")"
            let token = oracle.makeToken()
            let text = "from the disk\n\(Oracle.word(token)) as it was saved\nits last line\n"
            try save(text, at: place + path)
            tokens[path] = token
        }
        let folders = ["/"] + files.filter { $0.type == .folder }.map(\.path)
        let folder = draw.pick(folders) ?? "/"
        let top = folder == "/" ? "" : folder
        let replaced = tokens.keys.compactMap { path in
            files.first { $0.path == top + path && $0.type == .document }
        }
        // What is replaced has to be known.
        for document in replaced where !document.isHere {
            guard try await read(document, device, lockbook) != nil else { return nil }
        }
        var report = TransferReport()
        try await change(replaced.map(\.id), device, lockbook) {
            report = try lockbook.importFromDisk(["\(place)/."], to: folder) { _ in }
        }
        for (path, token) in tokens.sorted(by: { $0.key < $1.key }) {
            guard let file = try? lockbook.info(.path(top + path)), file.type == .document else {
                continue
            }
            var bytes: [UInt8] = []
            try await lockbook.read(.id(prefix: file.id)) { bytes += $0 }
            if Oracle.tokens(in: bytes).contains(token) {
                oracle.wrote(token, to: file.id, on: device.number, at: sequence)
            } else {
                try require(
                    !report.problems.isEmpty,
                    "device \(device.number): an import left out \(path) and named nothing"
                )
            }
        }
        tally.count("imports")
        tally.count("files taken in", report.created + report.updated)
        tally.count("files not taken in", report.problems.count)
        return "import to \(folder): \(report.created) \(report.updated) \(report.problems.count)"
    }
}
