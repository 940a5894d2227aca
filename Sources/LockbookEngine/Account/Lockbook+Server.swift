extension Lockbook {
    /// Lets this device sync with a server at another address, or with another certificate.
    ///
    /// The server is asked before, whether it knows the account; whether it has all that this device
    /// saw, the next sync finds out. An account that no server knows yet is registered by that.
    /// - Parameter isAsked: false takes the address as it is.
    /// - Returns: where this device syncs from now on.
    /// - Throws: `.busy` during a sync; what the server's answer is worth.
    public func useServer(
        at url: String?,
        certificate: ServerCertificate,
        isAsked: Bool
    ) async throws -> ServerAddress {
        let lock: LockFile?
        do { lock = try LockFile(Sync.lockPath(account.directory)) } catch let failure
            as DiskFailure
        {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
        guard let lock else { throw LockbookError.busy(what: "a sync of this account") }
        var account = try AccountFile(directory: account.directory)
        let url = url ?? account.server.url
        account.server =
            switch certificate {
            case .asBefore:
                try ServerAddress(url: url, certificate: account.server.certificate)
            case .file(let path): try ServerAddress(url, certificateFile: path)
            case .systemRoots: try ServerAddress(url)
            }
        if isAsked, try store.read({ try $0.setting(.registered) }) != nil {
            _ = try await Self.ask(for: account, environment: environment)
        }
        do { try account.save() } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
        withExtendedLifetime(lock) {}
        return account.server
    }
}

/// By what a server is known that is reached by HTTPS.
public enum ServerCertificate: Sendable {
    case asBefore
    /// The one in this file, as PEM.
    case file(String)
    case systemRoots
}
