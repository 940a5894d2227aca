import ArgumentParser
import LockbookEngine

/// What the other account may do, as it is typed.
enum ShareModeWord: String, ExpressibleByArgument, CaseIterable {
    case read, write, admin

    var right: ShareRight {
        switch self {
        case .read: .read
        case .write: .write
        case .admin: .admin
        }
    }
}

extension ShareRight {
    /// What somebody is let in for, as a part of a sentence.
    var purpose: String {
        switch self {
        case .read, .write: "to \(rawValue)"
        case .admin: "as an admin"
        }
    }
}
