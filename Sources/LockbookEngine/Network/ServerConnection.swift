/// One HTTP exchange with a server, without knowing what it means.
package struct WireRequest: Sendable {
    package var method: String
    /// With its leading slash.
    package var path: String
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
}

package struct WireResponse: Sendable {
    package var status: Int
    /// Names in lower case.
    package var fields: [String: String]
    package var body: [UInt8]

    package init(status: Int, fields: [String: String], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// Carries requests to a server: over HTTP, or in a test straight into its handlers.
package protocol ServerConnection: Sendable {
    /// - Throws: `LockbookError.offline`, `.untrustedServer`; a `BrokenConnection` where an exchange
    ///   broke off that another connection may carry, a `TooLargeRequest` where it took too long, or
    ///   an `UnansweredConnection`.
    func send(_ request: WireRequest) async throws -> WireResponse
    func close() async
}
