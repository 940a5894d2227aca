import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Shares that were kept from a device until they had ended.
extension WithheldShareTests {
    @Test func `of a log of which nothing is to be seen any more a link is asked about once`()
        async throws
    {
        let (laptop, _, phone, _) = try await withholding()
        try await phone.sync()
        for path in ["/team", "/kept"] {
            try laptop.lockbook.setShare(.path(path), of: "bob", to: nil)
            try await laptop.sync()
        }
        for _ in 0..<2 { try await phone.sync() }
        phone.faults.tellTruth()
        try await phone.sync()
        #expect(try phone.paths() == ["/kept"])
        #expect(try await phone.sync().traffic.requests == 1)
    }
}
