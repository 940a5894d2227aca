import HTTPTypes
import LockbookCrypto
import Testing

@testable import LockbookServer

/// A path has one spelling.
@Suite struct RouteTests {
    private static let name = BlobName(of: [1])

    private func route(_ name: String) -> Route? {
        Route(method: .get, path: "/v1/blob/\(name)/0/1")
    }

    @Test func `the name of a blob is read from its digits`() {
        #expect(route("\(Self.name)") == Route.blob(Self.name, first: 0, count: 1, log: nil))
    }

    @Test func `a blob has no other name than that of its small digits`() {
        let digits = "\(Self.name)"
        let others = [
            "", digits.uppercased(), "\(digits.dropLast())", "\(digits)00",
            "+\(digits.dropFirst())", "g\(digits.dropFirst())",
        ]
        for other in others {
            #expect(route(other) == nil, "\(other)")
        }
    }
}
