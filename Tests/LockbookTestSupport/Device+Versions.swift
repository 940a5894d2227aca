package import LockbookEngine

extension Device {
    /// What the versions of a document say, the newest first.
    package func versionTexts(_ path: String) async throws -> [String] {
        var texts: [String] = []
        for version in try await lockbook.history(FileReference(path)).versions {
            texts.append(try await text(path, version: version))
        }
        return texts
    }

    package func text(_ path: String, version: FileVersion) async throws -> String {
        var bytes: [UInt8] = []
        try await lockbook.read(FileReference(path), version: version.version) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
