/// What can be set in the configuration file; a profile may have any of it, too.
enum SettingKey: String, CaseIterable, Sendable {
    case autoSync = "auto_sync"
    case daily
    case dailyTemplate = "daily_template"
    case editor
    case history
    case jot
    case lazyBytes = "lazy_bytes"
    case path
    case server
    case serverCert = "server_cert"
    case trashDays = "trash_days"

    enum Kind {
        case text, truth
        /// A number, at least 0.
        case count
        /// A file or folder of the disk; `~/` is the home directory.
        case disk
        /// A document of the tree, and a folder, which is made when something goes in.
        case document, folder
        /// The address of a server.
        case address
        /// So many days, at least 0, or never.
        case days
    }

    var kind: Kind {
        switch self {
        case .autoSync: .truth
        case .history, .lazyBytes: .count
        case .path, .serverCert: .disk
        case .dailyTemplate, .jot: .document
        case .server: .address
        case .daily: .folder
        case .editor: .text
        case .trashDays: .days
        }
    }

    var help: String {
        switch self {
        case .autoSync: "Sync in the background after each change."
        case .daily: "The folder of the notes of the day."
        case .dailyTemplate: "The document that a note of the day is made from."
        case .editor: "The editor's command line."
        case .history: "How many lines the shell remembers."
        case .jot: "The note that jot adds to."
        case .lazyBytes: "Contents that take more stay on the server until they are read."
        case .path: "The data directory."
        case .server: "The server of a new account."
        case .serverCert: "The certificate to trust, in PEM."
        case .trashDays: "After so many days a sync purges what is in the trash."
        }
    }

    /// Whether an account has its own, which it got when it was new here.
    var isForNewAccounts: Bool { self == .server || self == .serverCert }

    /// What holds when nobody says anything; nil when there is nothing then.
    var standard: String? {
        switch self {
        case .autoSync: "false"
        case .daily: Today.standardFolder
        case .dailyTemplate: Today.standardTemplate
        case .editor: "vi"
        case .history: "1000"
        case .jot: Jot.standardNote
        case .lazyBytes: "10000000"
        case .path, .serverCert: nil
        case .server: ServerOptions.defaultServer
        case .trashDays: "30"
        }
    }

    /// The variables that go before the file, the first one first.
    var variables: [String] {
        switch self {
        case .editor: ["LOCKBOOK_EDITOR"]
        case .lazyBytes: ["LOCKBOOK_LAZY_BYTES"]
        case .path: ["LOCKBOOK_PATH"]
        case .server: ["API_URL"]
        case .trashDays: ["LOCKBOOK_TRASH_DAYS"]
        default: []
        }
    }

    /// The variables that go behind it.
    var laterVariables: [String] { self == .editor ? ["VISUAL", "EDITOR"] : [] }
}
