import LockbookEngine

extension World {
    private static let words = [
        "apple", "river", "stone", "cloud", "paper", "green", "seven", "often", "after", "small",
    ]

    /// The document at a path, also behind a second link to what a listing has behind the first.
    func existing(_ path: String, _ documents: [FileInfo], _ lockbook: Lockbook) throws -> FileInfo?
    {
        if let listed = documents.first(where: { $0.path == path }) { return listed }
        guard plan.isSharing else { return nil }
        let file: FileInfo
        do { file = try lockbook.info(.path(path)) } catch is LockbookError { return nil }
        switch file.type {
        case .document: return file
        case .folder: return nil
        case .link: return try behind(path, lockbook)
        }
    }

    /// A document's bytes; nil when they are not on this device and cannot be had now.
    func read(_ document: FileInfo, _ device: SimulatedDevice, _ lockbook: Lockbook) async throws
        -> [UInt8]?
    {
        guard document.isHere || !device.isSyncing else { return nil }
        if !document.isHere { tally.count("content fetched to be read") }
        var bytes: [UInt8] = []
        try await lockbook.read(.path(document.path)) { bytes += $0 }
        return bytes
    }

    /// Notes that what a document holds is about to be replaced as a whole.
    ///
    /// Its content need not be on the device for that: then a copy of the data folder fetches it.
    /// - Returns: false when nobody can know what it holds.
    func noteReplaced(_ document: FileInfo, _ device: SimulatedDevice, _ lockbook: Lockbook)
        async throws -> Bool
    {
        if document.isHere || plan.isSharing {
            guard let old = try await read(document, device, lockbook) else { return false }
            oracle.remove(Oracle.tokens(in: old))
            return true
        }
        let folder = try device.folder.copy(device.nextName())
        var environment = device.environment
        environment.connect = { _ in SimulatedConnection(world: self, device: nil) }
        let copy = try Lockbook.open(directory: folder.path, environment: environment)
        var bytes: [UInt8] = []
        do { try await copy.read(.id(prefix: document.id)) { bytes += $0 } } catch is LockbookError
        {
            return false
        }
        oracle.remove(Oracle.tokens(in: bytes))
        tally.count("content replaced that was not here")
        return true
    }

    private func write(
        _ bytes: [UInt8],
        to path: String,
        append: Bool = false,
        token: Int,
        _ device: SimulatedDevice,
        _ lockbook: Lockbook
    ) throws {
        var left: [UInt8]? = bytes
        try lockbook.write(.path(path), append: append) {
            defer { left = nil }
            return left
        }
        let file = try lockbook.info(.path(path))
        let document = try file.type == .link ? behind(path, lockbook)?.id : file.id
        oracle.wrote(token, to: document ?? file.id, on: device.number, at: sequence)
    }

    private func line(_ token: Int, in path: String, _ draw: inout Draw) -> String {
        let text = (0..<draw.below(4) + 1).map { _ in Self.words[draw.below(10)] }
            .joined(separator: " ")
        return path.hasSuffix(".json")
            ? "\"\(Oracle.word(token))\": \"\(text)\"," : "\(Oracle.word(token)) \(text)"
    }

    func write(
        newDocument path: String,
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ draw: inout Draw
    ) throws -> String {
        let token = oracle.makeToken()
        let line = line(token, in: path, &draw)
        let lines =
            path.hasSuffix(".json")
            ? ["{", line, "\"end\": 0", "}"] : ["one more note", line, "its last line"]
        try write(
            Array((lines.joined(separator: "\n") + "\n").utf8),
            to: path,
            token: token,
            device,
            lockbook
        )
        return "write \(path) \(Oracle.word(token))"
    }

    func append(
        to document: FileInfo,
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ draw: inout Draw
    ) throws -> String? {
        guard document.isHere else { return nil }
        let token = oracle.makeToken()
        let line = line(token, in: "", &draw) + "\n"
        try write(
            Array(line.utf8),
            to: document.path,
            append: true,
            token: token,
            device,
            lockbook
        )
        return "append to \(document.path) \(Oracle.word(token))"
    }

    /// One line of a text is inserted, replaced or taken out; bytes get longer.
    func change(
        _ document: FileInfo,
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ draw: inout Draw
    ) async throws -> String? {
        guard let old = try await read(document, device, lockbook) else { return nil }
        noteMarkers(in: old)
        let token = oracle.makeToken()
        guard old.count < 30_000, !old.contains(0) else {
            try write(
                old + [0] + Oracle.word(token).utf8,
                to: document.path,
                token: token,
                device,
                lockbook
            )
            return "extend \(document.path) \(Oracle.word(token))"
        }
        var lines = old.split(separator: 0x0A, omittingEmptySubsequences: false)
        let index = draw.below(lines.count)
        let new = ArraySlice(line(token, in: document.path, &draw).utf8)
        switch draw.below(4) {
        case 0:
            oracle.remove(Oracle.tokens(in: Array(lines[index])))
            lines[index] = new
        case 1 where lines.count > 2:
            oracle.remove(Oracle.tokens(in: Array(lines[index])))
            lines.remove(at: index)
            lines.insert(new, at: draw.below(lines.count))
        case 2:
            // A word at the end of a line, as people write on.
            lines[index] += " \(Oracle.word(token))".utf8
        default: lines.insert(new, at: index)
        }
        try write(
            Array(lines.joined(separator: [0x0A])),
            to: document.path,
            token: token,
            device,
            lockbook
        )
        return "change \(document.path) \(Oracle.word(token))"
    }

    /// What is no text: both versions have to stay when two devices change it.
    func writeBytes(
        _ path: String,
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ documents: [FileInfo]
    ) async throws -> String? {
        var bytes: [UInt8] = []
        if let there = try existing(path, documents, lockbook) {
            guard let old = try await read(there, device, lockbook) else { return nil }
            bytes = old
        }
        let token = oracle.makeToken()
        try write(
            bytes + [0, 1, 2] + Oracle.word(token).utf8,
            to: path,
            token: token,
            device,
            lockbook
        )
        return "write bytes to \(path) \(Oracle.word(token))"
    }

    /// A content that is a file, and sometimes one that travels in segments.
    func writeLarge(
        _ path: String,
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ documents: [FileInfo],
        _ draw: inout Draw
    ) async throws -> String? {
        if let there = try existing(path, documents, lockbook) {
            guard try await noteReplaced(there, device, lockbook) else { return nil }
        }
        let token = oracle.makeToken()
        let size = blobSize(&draw)
        let isText = path.hasSuffix(".txt")
        // Of its eight bits a byte has six or seven that are drawn: compressing takes out the rest.
        let count = isText ? size / 6 * 8 : size / 7 * 8
        var bytes = Array((Oracle.word(token) + "\n").utf8)
        if !isText { bytes.append(0) }
        bytes.reserveCapacity(count + 64)
        while bytes.count < count {
            // No digits, so that no word of the oracle's is in it by chance.
            for _ in 0..<6 {
                let bits = draw.next()
                let eight =
                    isText
                    ? bits & 0x3f3f_3f3f_3f3f_3f3f | 0x4040_4040_4040_4040
                    : bits | 0x8080_8080_8080_8080
                withUnsafeBytes(of: eight) { bytes.append(contentsOf: $0) }
            }
            bytes.append(10)
        }
        try write(bytes, to: path, token: token, device, lockbook)
        return "write \(bytes.count) bytes to \(path) \(Oracle.word(token))"
    }

    /// A file on each device, two or three segments in one request, or more than one request.
    private func blobSize(_ draw: inout Draw) -> Int {
        switch draw.below(16) {
        case 0: (4 << 20) + 100_000 + draw.below(1_500_000)
        case 1...4: (1 << 20) + 60_000 + draw.below(1_500_000)
        default: 70_000 + draw.below(50_000)
        }
    }
}
