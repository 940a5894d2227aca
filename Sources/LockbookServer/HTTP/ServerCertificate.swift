package import NIOSSL

/// Why TLS cannot be offered.
package enum CertificateFailure: Error, CustomStringConvertible, Sendable {
    case certificate(path: String)
    case key(path: String)
    case mismatch

    package var description: String {
        switch self {
        case .certificate(let path): "no certificate in PEM form can be read from \(path)"
        case .key(let path): "no private key in PEM form can be read from \(path)"
        case .mismatch: "the private key is not the certificate's"
        }
    }
}

/// A certificate with its chain and its private key.
package struct ServerCertificate: Sendable {
    package let configuration: TLSConfiguration

    /// - Returns: nil when no files are named.
    package init?(certificate: String?, key: String?) throws {
        guard let certificate, let key else { return nil }
        guard let chain = try? NIOSSLCertificate.fromPEMFile(certificate), !chain.isEmpty else {
            throw CertificateFailure.certificate(path: certificate)
        }
        guard let privateKey = try? NIOSSLPrivateKey(file: key, format: .pem) else {
            throw CertificateFailure.key(path: key)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(privateKey)
        )
        configuration.minimumTLSVersion = .tlsv12
        // Now, not at the first connection.
        guard (try? NIOSSLContext(configuration: configuration)) != nil else {
            throw CertificateFailure.mismatch
        }
        self.configuration = configuration
    }
}
