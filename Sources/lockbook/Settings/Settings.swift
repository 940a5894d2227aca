import Glibc
import LockbookEngine

/// What the user configured: the file, the profile that was chosen in it, and the environment.
struct Settings: Sendable {
    /// A value and where it comes from.
    struct Found: Sendable {
        var value: String
        var source: String

        /// Whether nobody said anything.
        var isDefault: Bool { source == Self.standard }

        fileprivate static let standard = "default"
    }

    private var common: [SettingKey: Found] = [:]
    private var profiles: [String: [SettingKey: Found]] = [:]
    private var chosenProfile: String?
    /// The profile in use; nil for none.
    private(set) var profile: String?

    private static let read = Result { try Settings() }

    /// The settings, read once.
    /// - Throws: `.badSetting`, `.unreadableSettings`, `.unknownProfile`.
    static func current() throws -> Settings { try read.get() }

    /// The names of all profiles, sorted.
    static func profiles() throws -> [String] {
        try Settings(choosing: false).profiles.keys.sorted()
    }

    subscript(key: SettingKey) -> Found? {
        for name in key.variables {
            if let value = Environment[name] { return Found(value: value, source: name) }
        }
        if let found = inFile(key) { return found }
        for name in key.laterVariables {
            if let value = Environment[name] { return Found(value: value, source: name) }
        }
        return key.standard.map { Found(value: $0, source: Found.standard) }
    }

    /// What the file says, the profile before what stands in front of all tables.
    private func inFile(_ key: SettingKey) -> Found? {
        guard let profile else { return common[key] }
        if let found = profiles[profile]?[key] { return found }
        guard var found = common[key] else { return nil }
        switch key {
        case .path:
            // That is the account of no profile, where another one would be made, or removed.
            found.value = DataDirectory.name(found.value, of: profile)
        case .serverCert:
            guard let own = profiles[profile]?[.server], let other = common[.server] else { break }
            if !Self.isOne(own.value, other.value) { return nil }
        default: break
        }
        return found
    }

    /// The certificate that the file has for a server: that of the address beside it, or of any where there
    /// is none.
    func certificate(of url: String) -> String? {
        let isOfProfile = profile.map { profiles[$0]?[.serverCert] != nil } ?? false
        guard let named = isOfProfile ? inFile(.server) : common[.server] else {
            return text(.serverCert)
        }
        return Self.isOne(named.value, url) ? text(.serverCert) : nil
    }

    private static func isOne(_ server: String, _ other: String) -> Bool {
        (try? ServerAddress(server).url) == (try? ServerAddress(other).url)
    }

    func text(_ key: SettingKey) -> String? { self[key]?.value }
    func isOn(_ key: SettingKey) -> Bool { self[key]?.value == "true" }
    func number(_ key: SettingKey) -> Int? { (self[key]?.value).flatMap { Int($0) } }

    private init(choosing: Bool = true) throws {
        guard let file = try Self.path(), let text = try Self.contents(of: file) else {
            // A profile that was asked for is not where there is no file.
            if choosing, let name = Environment[Profile.variable] {
                throw CommandError.unknownProfile(name, file: try Self.path() ?? "-", near: nil)
            }
            return
        }
        do {
            try take(SettingsFile(text), from: file)
        } catch let problem as SettingsFile.Unreadable {
            throw CommandError.badSetting(
                file: file,
                line: problem.line,
                reason: problem.reason,
                hint: nil
            )
        }
        guard choosing else { return }
        profile = Environment[Profile.variable] ?? chosenProfile
        guard let profile, profiles[profile] == nil else { return }
        throw CommandError.unknownProfile(
            profile,
            file: file,
            near: nearest(to: profile, among: profiles.keys.sorted())
        )
    }

    private mutating func take(_ source: SettingsFile, from file: String) throws {
        for table in source.tables {
            guard table.name.count == 2, table.name[0] == "profile" else {
                throw CommandError.badSetting(
                    file: file,
                    line: table.line,
                    reason: "there is no table [\(table.name.joined(separator: "."))]",
                    hint: "profiles are [profile.NAME]"
                )
            }
            // It becomes a part of the data directory's name.
            guard table.name[1].utf8.allSatisfy({ isPlain($0) }) else {
                throw CommandError.badSetting(
                    file: file,
                    line: table.line,
                    reason: "a profile's name has letters, digits, `_` and `-`",
                    hint: nil
                )
            }
            profiles[table.name[1]] = [:]
        }
        for entry in source.entries {
            let place = "\(file):\(entry.line)"
            if entry.table.isEmpty, entry.key == "profile", case .text(let name) = entry.value {
                chosenProfile = name
                continue
            }
            let isKnownTable =
                entry.table.isEmpty || (entry.table.count == 2 && entry.table[0] == "profile")
            guard isKnownTable, let key = SettingKey(rawValue: entry.key) else {
                let name = (entry.table + [entry.key]).joined(separator: ".")
                let near = nearest(to: entry.key, among: SettingKey.allCases.map(\.rawValue))
                throw CommandError.badSetting(
                    file: file,
                    line: entry.line,
                    reason: "there is no setting \(quoted(name))",
                    hint: near.map { "did you mean \($0)?" }
                        ?? "`man 5 lockbook-config` has them all"
                )
            }
            guard let value = try key.accepted(entry.value) else {
                throw CommandError.badSetting(
                    file: file,
                    line: entry.line,
                    reason: "\(key.rawValue) is \(key.kind.sentence)",
                    hint: nil
                )
            }
            let found = Found(value: value, source: place)
            if entry.table.isEmpty {
                common[key] = found
            } else {
                profiles[entry.table[1], default: [:]][key] = found
            }
        }
    }
}

extension Settings {
    /// Where the file is, if there is one; nil when there is no home directory to look in.
    static func path() throws -> String? {
        if let folder = Environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return folder + "/lockbook/config.toml"
        }
        return try DataDirectory.home().map { $0 + "/.config/lockbook/config.toml" }
    }

    /// The text of the file; nil when there is none.
    private static func contents(of path: String) throws -> String? {
        // A pipe would wait for whoever writes into it.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw CommandError.unreadableSettings(file: path, reason: Terminal.reason(errno))
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandError.unreadableSettings(file: path, reason: "it is no regular file")
        }
        var bytes: [UInt8] = []
        do {
            while let piece = try StandardInput.read(from: file) {
                bytes += piece
                // What was read of it would pass for all that somebody set.
                guard bytes.count <= 1 << 20 else {
                    throw CommandError.unreadableSettings(
                        file: path,
                        reason: "it is larger than 1 MiB"
                    )
                }
            }
        } catch CommandError.input(let reason) {
            throw CommandError.unreadableSettings(file: path, reason: reason)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError.unreadableSettings(file: path, reason: "it is not UTF-8")
        }
        return text
    }
}

private func isPlain(_ byte: UInt8) -> Bool {
    switch UnicodeScalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
    default: false
    }
}

extension SettingKey {
    /// The value as it is used; nil for one of the wrong kind.
    fileprivate func accepted(_ value: SettingsFile.Value) throws -> String? {
        switch (kind, value) {
        case (.truth, .truth(let isOn)): return isOn ? "true" : "false"
        case (.count, .number(let number)) where number >= 0: return String(number)
        case (.days, .number(let number)) where number >= 0: return String(number)
        case (.days, .text("never")): return "never"
        case (.text, .text(let text)) where !text.isEmpty: return text
        case (.disk, .text(let text)) where text.hasPrefix("~/"):
            return try DataDirectory.home().map { $0 + text.dropFirst() }
        case (.disk, .text(let text)) where text.hasPrefix("/"): return text
        case (.document, .text(let text)) where FileReference(text).isDocuments: return text
        // One that a note can stand in; what begins with `id:` is a name here as any other.
        case (.folder, .text(let text))
        where !text.isEmpty && FileReference.path(text + "/note").isDocuments:
            return text
        case (.address, .text(let text)) where (try? ServerAddress(text)) != nil: return text
        default: return nil
        }
    }
}

extension SettingKey.Kind {
    fileprivate var sentence: String {
        switch self {
        case .text: "a text in quotes"
        case .truth: "true or false"
        case .count: "a number, at least 0"
        case .days: "a number of days, at least 0, or \"never\""
        case .disk: "a path in quotes that begins with / or ~/"
        case .document: "the path of a document in quotes, without a slash at its end"
        case .folder: "the path of a folder in quotes, of names that files can have: `..` is none"
        case .address:
            "the address of a server in quotes, as https://notes.example.org; http is for this "
                + "machine only"
        }
    }
}
