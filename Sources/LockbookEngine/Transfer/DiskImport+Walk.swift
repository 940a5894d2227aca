import Glibc
import LockbookModel

extension DiskImport {
    /// Goes down without following links and without recursion.
    mutating func walk(from top: ImportFolder) throws {
        // One is open for each level whose folders wait.
        OpenFiles.raiseLimit(to: 16_384)
        var folders = [top]
        while var folder = folders.popLast() {
            let open: DiskFile
            let names: [[UInt8]]
            do {
                open = try folder.open()
                names = try Disk.names(in: open)
                if OwnFolder.isOne(open, names) {
                    try passBy(folder)
                    continue
                }
                // Without its rules, what is not to go anywhere would be taken in.
                folder.rules = try rules(folder.rules, in: open, depth: folder.steps.count)
            } catch let failure as DiskFailure {
                problem(failure.path, failure.reason)
                continue
            }
            let place = try place(of: open, at: folder.target)
            if place.documents != nil {
                if folder.target.name != nil { report.folders += 1 }
            } else if options.force || place.elsewhere.isEmpty {
                try append(
                    ImportItem(
                        path: folder.target,
                        source: folder.path,
                        bytes: nil,
                        modified: try open.status().modified,
                        isExecutable: false
                    )
                )
            }
            if place.documents != nil {
                folder.respelled = try respelled(names, at: folder.target)
            }
            for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                if let below = try take(name, in: open, of: folder, place) { folders.append(below) }
            }
        }
    }

    /// The names of files that spell a note's name otherwise, where another file spells it so.
    ///
    /// They differ in nothing but how their letters are composed; that other file is the note's.
    private func respelled(_ names: [[UInt8]], at target: ImportPath) throws -> Set<[UInt8]> {
        var forms: [[UInt8]: [FileName]] = [:]
        for name in names where name.contains(where: { $0 >= 0x80 }) {
            guard let name = try? FileName(bytes: name) else { continue }
            forms[name.normalized, default: []].append(name)
        }
        let twins = forms.values.filter { $0.count > 1 }
        guard !twins.isEmpty else { return [] }
        return try store.read { tree in
            var others: Set<[UInt8]> = []
            for names in twins {
                guard let row = try tree.find(path: target.appending(names[0]).shown) else {
                    continue
                }
                let own = try tree.name(of: row)
                guard names.contains(own) else { continue }
                others.formUnion(names.filter { $0 != own }.map(\.bytes))
            }
            return others
        }
    }

    /// Leaves out the folder of another lockbook: its keys must not become notes.
    ///
    /// One of a share looks like that where a member put such a file into it: that is said.
    private mutating func passBy(_ folder: ImportFolder) throws {
        if let name = folder.steps.last, let above = folder.parent?.realPath,
            try !isExported(name, in: above, at: folder.target)
        {
            report.ignored += 1
        } else {
            problem(folder.path, "it is the folder of a lockbook, with its keys")
        }
    }

    /// - Returns: a folder that is to be walked next.
    private mutating func take(
        _ name: [UInt8],
        in open: DiskFile,
        of folder: ImportFolder,
        _ place: ImportPlace
    ) throws -> ImportFolder? {
        let shown = folder.path + "/" + String(decoding: name, as: UTF8.self)
        let steps = folder.steps + [String(decoding: name, as: UTF8.self)]
        var status = stat()
        let isThere = name.withNUL {
            fstatat(open.descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) == 0
        }
        let failure = isThere ? nil : DiskFailure(shown)
        let isFolder = isThere && status.st_mode & S_IFMT == S_IFDIR
        // Asked before anything is said about it: what is ignored may be what cannot be taken in.
        let isIgnored = folder.isIgnored || folder.rules.ignore(steps, isFolder: isFolder)
        guard try !isIgnored || isNote(name, steps, isFolder: isFolder, in: folder, place) else {
            report.ignored += 1
            return nil
        }
        // What a killed export left is half of something.
        let isLeft = ExportPlace.isTemporary(
            String(decoding: name, as: UTF8.self),
            isFolder: isFolder
        )
        guard !isLeft, !isFolder || ownFolder?.isSame(as: status) != true else {
            report.ignored += 1
            return nil
        }
        let fileName: FileName
        do {
            fileName = try FileName(bytes: name)
        } catch {
            problem(shown, error.sentence)
            return nil
        }
        if let failure {
            problem(shown, failure.reason)
            return nil
        }
        let target = folder.target.appending(fileName)
        if isFolder {
            let below = ImportFolder(
                path: shown,
                target: target,
                steps: steps,
                rules: folder.rules,
                parent: open,
                isIgnored: isIgnored
            )
            return goesBehindLink(.folder(below), at: target, shown) ? nil : below
        }
        guard !folder.respelled.contains(name) else {
            leaveToAnother(shown)
            return nil
        }
        guard claim(target, for: shown),
            status.obstacle != nil
                || !goesBehindLink(.file(name: name, parent: open), at: target, shown)
        else { return nil }
        if !isKnown(fileName, status, in: place, source: shown) {
            try take(name, in: open, at: target, source: shown, place)
        }
        return nil
    }
}

extension [UInt8] {
    /// A name as system calls take it, also one that is not UTF-8.
    fileprivate func withNUL<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("an array of one") }
            return body(base)
        }
    }
}
