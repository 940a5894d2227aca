import LockbookModel

extension Lockbook {
    /// Copies between trees: every content is read here and written there.
    ///
    /// Nothing is begun when a content is not on this device; what fails later leaves what was
    /// copied till then.
    func copyAcross(_ source: FileReference, to destination: String) throws -> FileInfo {
        let top = try info(source)
        let files = try list(source, recursive: true).filter { $0.path != top.path }
        for file in files + [top] where !file.isHere {
            throw LockbookError.contentNotHere(path: file.path)
        }
        let isDocument = try isDocument(top, with: source)
        let destination = try path(ofDestination: destination)
        var target = destination.hasSuffix("/") ? String(destination.dropLast()) : destination
        if try isFolder(destination) { target += "/" + top.name }
        guard try !exists(target) else { throw LockbookError.exists(path: target) }
        if isDocument {
            try copyContent(of: source, to: target)
        } else {
            _ = try create(path: target + "/")
            for file in files {
                let path = target + file.path.dropFirst(top.path.count)
                if file.type == .document {
                    try copyContent(of: FileReference(file.path), to: path)
                } else {
                    _ = try create(path: path + "/")
                }
            }
        }
        return try info(.path(target))
    }

    /// The id of a folder as its path.
    private func path(ofDestination destination: String) throws -> String {
        let reference = FileReference(destination)
        guard case .id = reference else { return destination }
        let path = try info(reference).path
        guard path.hasPrefix("/") else { throw LockbookError.notFound(path: destination) }
        return path + "/"
    }

    private func isDocument(_ file: FileInfo, with reference: FileReference) throws -> Bool {
        guard file.type == .link else { return file.type == .document }
        return try !isFolder(reference.text)
    }

    /// Whether a path leads to a folder, also behind a link.
    public func isFolder(_ path: String) throws -> Bool {
        do {
            return try across(.path(path)) {
                try store.read { tree in
                    guard let row = try tree.find(path: path) else { return false }
                    if let crossing = try tree.crossing(row) { throw crossing }
                    return row.type == .folder
                }
            } there: { place in
                guard case .path(let below) = place.reference else { return false }
                return try place.lockbook.store.read { try $0.find(path: below)?.type == .folder }
            }
        } catch LockbookError.notFound { return false }
    }

    private func exists(_ path: String) throws -> Bool {
        do {
            _ = try info(.path(path))
            return true
        } catch LockbookError.notFound { return false }
    }

    private func copyContent(of source: FileReference, to path: String) throws {
        let opened = try across(source) {
            try openContent(source)
        } there: { place in
            try place.lockbook.openContent(place.reference)
        }
        switch opened {
        case .absent: throw LockbookError.contentNotHere(path: source.text)
        case .empty: _ = try create(path: path)
        case .here(var reader):
            var bytes: [UInt8]? = try reader.bytes()
            try write(.path(path), append: false) {
                defer { bytes = nil }
                return bytes
            }
        }
    }
}
