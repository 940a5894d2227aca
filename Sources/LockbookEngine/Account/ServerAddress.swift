import FoundationEssentials

/// Where a server is, and by which certificate it is known.
public struct ServerAddress: Sendable, Equatable {
    /// `https://host:port` or, on this machine alone, `http://…`.
    public let url: String
    /// The one certificate to trust, as PEM; nil for the system's roots.
    let certificate: String?
    /// A name or an address; one of IPv6 without its brackets.
    let host: String
    let port: Int
    let isSecure: Bool

    /// - Throws: `.badServerAddress`, `.insecureServer`, or `.io` when the certificate is not there.
    public init(_ text: String, certificateFile: String? = nil) throws {
        var pem: String?
        if let certificateFile {
            do {
                pem = String(decoding: try Disk.contents(of: certificateFile), as: UTF8.self)
            } catch let failure as DiskFailure {
                throw LockbookError.io(path: certificateFile, reason: failure.reason)
            }
            guard pem?.contains("-----BEGIN CERTIFICATE-----") == true else {
                throw LockbookError.io(
                    path: certificateFile,
                    reason: "holds no certificate in PEM form"
                )
            }
        }
        try self.init(url: text, certificate: pem)
    }

    init(url text: String, certificate: String?) throws {
        var trimmed = text
        while trimmed.hasSuffix("/") { trimmed.removeLast() }
        guard let url = URL(string: trimmed), let scheme = url.scheme?.lowercased(),
            let host = url.host(), !host.isEmpty, url.query == nil, url.user == nil,
            url.path.isEmpty, url.fragment == nil, Self.hasPort(trimmed)
        else { throw LockbookError.badServerAddress(text) }
        isSecure = scheme == "https"
        self.host =
            host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        port = url.port ?? (isSecure ? 443 : 80)
        switch scheme {
        case "https": break
        case "http":
            guard Self.isLoopback(host) else { throw LockbookError.insecureServer(server: text) }
        default: throw LockbookError.badServerAddress(text)
        }
        self.url = trimmed
        self.certificate = certificate
    }

    /// What requests name as their authority: host and, unless it is the usual one, port.
    var authority: String {
        let parts = url.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
        return (parts.last.map(String.init) ?? url).drop { $0 == "/" }.lowercased()
    }

    /// Whether the port, if one is given, can be one: the network library ends the program at others.
    private static func hasPort(_ url: String) -> Bool {
        let authority = url.utf8.split(separator: UInt8(ascii: "/")).last ?? ""[...].utf8
        // The colons of an IPv6 address stand between brackets.
        let named = authority.split(separator: UInt8(ascii: "]"), omittingEmptySubsequences: false)
        guard let last = named.last, let colon = last.lastIndex(of: UInt8(ascii: ":")) else {
            return true
        }
        guard let port = UInt16(String(Substring(last[last.index(after: colon)...]))) else {
            return false
        }
        return port > 0
    }

    private static func isLoopback(_ host: String) -> Bool {
        host.lowercased() == "localhost" || host == "::1" || host == "[::1]"
            || (host.hasPrefix("127.") && host.split(separator: ".").count == 4
                && host.allSatisfy { $0.isNumber || $0 == "." })
    }
}
