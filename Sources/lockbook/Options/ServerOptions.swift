import ArgumentParser
import LockbookEngine

/// Which server an account belongs to.
struct ServerOptions: ParsableArguments {
    static let defaultServer = "http://127.0.0.1:7654"

    @Option(
        help: ArgumentHelp(
            "The server's address (default: $API_URL, else \(defaultServer)).",
            valueName: "url"
        )
    )
    var server: String?

    @Option(
        help: ArgumentHelp(
            "A file with the certificate to trust, in PEM, instead of the system's.",
            valueName: "file"
        )
    )
    var serverCert: String?

    /// Whether somebody said which server, on the line, in the environment or in the configuration.
    var isNamed: Bool {
        get throws { try server != nil || Settings.current()[.server]?.isDefault == false }
    }

    /// - Parameter present: where the account that is here syncs, which holds unless something else is said.
    func address(orElse present: ServerAddress? = nil) throws -> ServerAddress {
        if let present, server == nil, serverCert == nil { return present }
        let settings = try Settings.current()
        let url = server ?? settings.text(.server) ?? Self.defaultServer
        try Self.check(certificate: serverCert, of: url)
        return try ServerAddress(
            url,
            certificateFile: serverCert ?? settings.certificate(of: url)
        )
    }

    /// Refuses a certificate that was named for a server that shows none: nobody would look at it.
    static func check(certificate: String?, of url: String) throws {
        guard certificate != nil, url.lowercased().hasPrefix("http://") else { return }
        throw UsageError(
            message: "--server-cert is for https://, and \(url) shows no certificate",
            hint: "name the server by https://, or leave out --server-cert"
        )
    }
}
