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
