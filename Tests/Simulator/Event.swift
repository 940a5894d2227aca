import LockbookEngine

/// Something that happens in a world, with all that it draws decided by its own number.
package struct Event: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        // What users do.
        case create, createFolder, write, append, change, replace, writeBytes, writeLarge
        case move, rename, delete, copy, sync, restart
        // What happens to them.
        case kill, killWhileEditing, killWhileSyncing, fullDisk, killServer, away, wrongClock
        case backUp, putBack, duplicate
        case deleteAccount
        // What people do with what was there before, who use the commands for it.
        case undo, restoreVersion, resolve
        // What people do who share, and with the trash.
        case share, accept, reject, leave, shareMode, revoke, moveOut, moveIn
        case moveShared, deleteShared, deleteLink, restore, purge, emptyTrash
        // What people do who give a share to another owner.
        case transfer, cancelTransfer
        // What people do who have copies on the disk.
        case mirror, importFolder

        var isEdit: Bool {
            switch self {
            case .create, .createFolder, .write, .append, .change, .replace, .writeBytes,
                .writeLarge, .move, .rename, .delete, .copy:
                true
            default: false
            }
        }

        /// Whether a user does it, rather than that it happens to him.
        var isOfUsers: Bool { isEdit || isSharing || isCommand || isDisk }

        /// What is drawn only in worlds of the disk.
        var isDisk: Bool { self == .mirror || self == .importFolder }

        /// What is drawn only in worlds of commands.
        var isCommand: Bool {
            switch self {
            case .undo, .restoreVersion, .resolve: true
            default: false
            }
        }

        /// What is drawn only in worlds of several accounts, what is done with the trash in those of
        /// commands as well.
        var isSharing: Bool {
            switch self {
            case .share, .accept, .reject, .leave, .shareMode, .revoke, .moveOut, .moveIn,
                .moveShared, .deleteShared, .deleteLink, .restore, .purge, .emptyTrash,
                .transfer, .cancelTransfer:
                true
            default: false
            }
        }
    }

    package var kind: Kind
    package var device: Int
    package var draw: UInt64
    package var interruptions: [Interruption] = []

    package init(kind: Kind, device: Int, draw: UInt64) {
        self.kind = kind
        self.device = device
        self.draw = draw
    }
}

/// What happens while one request of a sync is under way.
package struct Interruption: Sendable {
    package enum Fault: String, Sendable, CaseIterable {
        /// The request never arrives.
        case lost
        /// The server does what was asked, but the answer is lost.
        case answerLost
        /// The request arrives twice.
        case doubled
        /// The request is given up, and arrives later.
        case late
        /// The process dies before the request is sent.
        case killedBefore
        /// The process dies, then the answer arrives.
        case killedBeforeAnswer
        /// The server dies in the middle of its work.
        case serverKilled
        /// The server dies while it writes a part of a large content, whichever request brings one:
        /// of all requests this one takes longest.
        case serverKilledInPart
    }

    package enum Happening: Sendable {
        case fault(Fault)
        case event(Event)
    }

    package var request: Int
    package var happening: Happening
    /// Decides what a fault draws.
    package var draw: UInt64

    /// Whether it happens while this request is under way.
    func strikes(_ request: WireRequest, at index: Int) -> Bool {
        guard case .fault(.serverKilledInPart) = happening else { return self.request == index }
        return request.isPart
    }

    var isFault: Bool {
        if case .fault = happening { true } else { false }
    }
}

extension Event: CustomStringConvertible {
    package var description: String {
        let inner = interruptions.map { interruption in
            switch interruption.happening {
            case .fault(let fault): "\(fault) at \(interruption.request)"
            case .event(let event): "(\(event)) at \(interruption.request)"
            }
        }
        let list = inner.isEmpty ? "" : " with " + inner.joined(separator: ", ")
        return "device \(device) \(kind)\(list)"
    }
}

extension WireRequest {
    /// Whether it carries segments of a large content.
    var isPart: Bool { method == "PUT" }
}
