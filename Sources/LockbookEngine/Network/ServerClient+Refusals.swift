import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

/// What it means that a server refuses something, and what is no answer of a server.
extension ServerClient {
    /// What a server says of why it refuses, which somebody is to read: a line, and not a long one.
    ///
    /// It becomes part of reports and of what is stored, so nothing else of it comes further.
    /// - Returns: nil for what is no refusal: too long, or an empty body, which is a message too.
    static func refusal(from body: [UInt8]) -> Lockbook_V1_ErrorResponse? {
        guard body.count <= Wire.maximumRefusalByteCount,
            var refusal = try? Lockbook_V1_ErrorResponse(serializedBytes: Data(body)),
            refusal.code != .unspecified || !refusal.message.isEmpty
        else { return nil }
        refusal.message =
            refusal.message.isEmpty
            ? "it gives no reason" : PlainText.line(refusal.message, atMost: mostSaid)
        return refusal
    }

    /// Scalars of a sentence.
    private static let mostSaid = 200

    func refusal(in response: WireResponse) throws -> Lockbook_V1_ErrorResponse {
        if let refusal = Self.refusal(from: response.body) { return refusal }
        let reason = Self.stranger(status: response.status)
        if response.status >= 500 {
            throw LockbookError.unavailable(server: address.url, reason: reason)
        }
        throw LockbookError.notALockbookServer(server: address.url, reason: reason)
    }

    func error(for refusal: Lockbook_V1_ErrorResponse, at path: String) -> any Error {
        if refusal.code == .ended, !refusal.end.isEmpty {
            return failure(endedBy: Array(refusal.end), refusal.message, at: path)
        }
        if refusal.code == .violation, let file = FileID(refusal.file) {
            return RefusedChange(file: file, reason: refusal.message)
        }
        if let file = FileID(refusal.file), let account = Hash256(refusal.grantee) {
            return RefusedGrantee(
                file: file,
                account: AccountID(hash: account),
                cause: RefusedGrantee.Cause(refusal.code),
                reason: refusal.message
            )
        }
        if refusal.code == .notPermitted, path == Endpoint.pull.path {
            return UnreadableLog(reason: refusal.message)
        }
        let isOfAccount = [Endpoint.account.path, Endpoint.acquaint.path].contains(path)
        if refusal.code == .notFound, isOfAccount {
            return OtherAccountUnknown(reason: refusal.message)
        }
        let isOfContent =
            path == Endpoint.segments.path || path.hasPrefix(Endpoint.blob.path + "/")
        if refusal.code == .notFound, isOfContent {
            return UnknownContent(reason: refusal.message)
        }
        return failure(for: refusal, at: path)
    }

    /// That an account was deleted counts where its owner has signed it.
    private func failure(endedBy bytes: [UInt8], _ reason: String, at path: String) -> any Error {
        do {
            let end = try AccountEnd(verifying: bytes)
            if end.account == id {
                return LockbookError.accountDeleted(
                    username: username,
                    time: end.created.milliseconds
                )
            }
            let isAskedFor = [Endpoint.account.path, Endpoint.acquaint.path].contains(path)
            if isAskedFor { return OtherAccountEnded(account: end.account) }
            // Whose log it is about.
            return LockbookError.refused(reason: reason)
        } catch {
            return Sync.failure(error)
        }
    }

    private func failure(for refusal: Lockbook_V1_ErrorResponse, at path: String)
        -> LockbookError
    {
        switch refusal.code {
        case .updateNeeded:
            .serverUpdateNeeded(what: "the server at \(address.url) says: \(refusal.message)")
        case .noAccount: .unknownAccount(server: address.url)
        // Another name mends that only where an account asks for one.
        case .nameTaken where path == Endpoint.register.path: .usernameTaken(username)
        case .unavailable: .unavailable(server: address.url, reason: refusal.message)
        default: .refused(reason: refusal.message)
        }
    }

    /// What an answer that is not the server's own means; often it comes from a proxy in front.
    static func stranger(status: Int) -> String {
        switch status {
        case 200...299: "it answers like another program"
        case 300...399: "it sends to another address, with status \(status)"
        case 413: "what stands in front of it takes no request of this size, with status 413"
        case 502, 503, 504:
            "what stands in front of it does not reach it, with status \(status)"
        default: "it answers like another program, with status \(status)"
        }
    }
}
