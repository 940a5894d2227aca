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

    /// - Parameter present: where the account that is here syncs, which holds unless something else is said.
    func address(orElse present: ServerAddress? = nil) throws -> ServerAddress {
        if let present, server == nil, serverCert == nil { return present }
        let settings = try Settings.current()
        return try ServerAddress(
            server ?? settings.text(.server) ?? Self.defaultServer,
            certificateFile: serverCert ?? settings.text(.serverCert)
        )
    }
}
