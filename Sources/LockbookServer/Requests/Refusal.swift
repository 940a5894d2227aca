import FoundationEssentials
package import HTTPTypes
import LockbookAPI
import LockbookCrypto
package import LockbookModel
import NIOCore
import SwiftProtobuf

/// Why a request is not answered with 200, as the client is told.
package struct Refusal: Error, Sendable {
    package enum Kind: Sendable, Equatable {
        case malformed, unauthorized, updateNeeded, nameTaken, noAccount, notFound, violation
        case tooLarge, unavailable, notPermitted
        /// The account was deleted by its owner.
        case ended
        /// The server's time, in seconds.
        case clock(Int64)
    }

    package var kind: Kind
    package var message: String
    package var file: FileID?
    /// With whom the file is not to be shared.
    package var grantee: AccountID?
    /// What the owner of a deleted account signed.
    package var end: [UInt8] = []

    package init(_ kind: Kind, _ message: String, file: FileID? = nil) {
        self.kind = kind
        self.message = message
        self.file = file
    }

    /// What has to do with one grant alone.
    package init(_ kind: Kind, _ message: String, of grant: Grant) {
        self.init(kind, message, file: grant.file)
        grantee = AccountID(grant.grantee)
    }

    /// That an account was deleted, with what proves it.
    init(_ end: StoredEnd, _ message: String = "the account was deleted by its owner") {
        self.init(.ended, message)
        self.end = end.statement
    }

    package var status: HTTPResponse.Status {
        switch kind {
        case .malformed: .badRequest
        case .unauthorized, .clock: .unauthorized
        case .updateNeeded: HTTPResponse.Status(code: 426, reasonPhrase: "Upgrade Required")
        case .nameTaken: .conflict
        case .noAccount, .notFound: .notFound
        case .violation: .unprocessableContent
        case .tooLarge: .contentTooLarge
        case .unavailable: .serviceUnavailable
        case .notPermitted: .forbidden
        case .ended: .gone
        }
    }

    private var code: Lockbook_V1_ErrorResponse.Code {
        switch kind {
        case .malformed: .malformed
        case .unauthorized: .unauthorized
        case .clock: .clock
        case .updateNeeded: .updateNeeded
        case .nameTaken: .nameTaken
        case .noAccount: .noAccount
        case .notFound: .notFound
        case .violation: .violation
        case .tooLarge: .tooLarge
        case .unavailable: .unavailable
        case .notPermitted: .notPermitted
        case .ended: .ended
        }
    }

    var answer: Answer {
        get throws {
            var response = Lockbook_V1_ErrorResponse()
            response.code = code
            response.message = message
            if case .clock(let now) = kind { response.serverTime = now }
            if let file { response.file = Data(file.bytes) }
            if let grantee { response.grantee = Data(grantee.hash.bytes) }
            response.end = Data(end)
            var answer = try Answer(response)
            answer.status = status
            return answer
        }
    }
}

extension Refusal {
    /// Refuses what is more than a later format may add: readers would keep it, and nobody knows what it is.
    /// - Parameter byteCount: of the extension.
    static func requireShortExtension(_ byteCount: Int) throws(Refusal) {
        guard byteCount <= Wire.maximumExtensionByteCount else {
            throw Refusal(.tooLarge, "what a later format adds may be 4 KiB")
        }
    }

    /// In words for somebody who knows what a file is; nothing in it tells a name.
    init(_ violation: Violation) {
        switch violation {
        case .root(let file):
            self.init(.violation, "there is one root, and it does not change", file: file)
        case .pathConflict(let file, _):
            self.init(.violation, "another file has this name in this folder", file: file)
        case .cycle(let file):
            self.init(.violation, "a folder cannot be inside itself", file: file)
        case .orphan(let file):
            self.init(.violation, "the folder of this file is not in the tree", file: file)
        case .childOfNonFolder(let file):
            self.init(.violation, "only folders have children", file: file)
        case .typeChanged(let file):
            self.init(.violation, "what a file is never changes", file: file)
        case .belowDead(let file):
            self.init(.violation, "the folder of this file is deleted", file: file)
        case .foreignAuthor(let file):
            self.init(.violation, "the author may not change this file", file: file)
        case .foreignOwner(let file):
            self.init(.violation, "this file is of another tree", file: file)
        case .epoch(let file):
            self.init(.violation, "the key of this file is of the wrong generation", file: file)
        case .scope(let file):
            self.init(.violation, "this file is not in the scope that it names", file: file)
        case .grant(let file):
            self.init(.violation, "this cannot be granted, or not by this account", file: file)
        case .rotation(let file):
            self.init(
                .violation,
                "the members of a share would be left with wrong keys",
                file: file
            )
        case .linkInShare(let file):
            self.init(.violation, "a link does not stand in a shared folder", file: file)
        }
    }
}
