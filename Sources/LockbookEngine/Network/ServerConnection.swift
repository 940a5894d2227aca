/// One HTTP exchange with a server, without knowing what it means.
struct WireRequest: Sendable {
    var method: String
    /// With its leading slash.
    var path: String
    var fields: [(name: String, value: String)]
    var body: [UInt8]
}

struct WireResponse: Sendable {
    var status: Int
    /// Names in lower case.
    var fields: [String: String]
    var body: [UInt8]
}

/// Carries requests to a server: over HTTP, or in a test straight into its handlers.
protocol ServerConnection: Sendable {
    /// - Throws: `LockbookError.offline`, `.untrustedServer`.
    func send(_ request: WireRequest) async throws -> WireResponse
    func close() async
}
