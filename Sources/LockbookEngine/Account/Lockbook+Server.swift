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
        let lock = try lockBetweenSyncs()
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
        try Self.saving(account)
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
