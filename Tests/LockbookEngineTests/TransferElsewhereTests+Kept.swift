import LockbookAPI
import LockbookEngine
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// What one device keeps, or gives anew, while another one lets go of it.
extension TransferElsewhereTests {
    /// The share as ada has it, when everybody knows that she keeps it.
    private func kept() async throws -> [String] {
        for _ in 0..<3 { for device in [laptop, phone, desk, tablet] { try await device.sync() } }
        for device in [laptop, phone] { #expect(try device.lockbook.validate() == []) }
        #expect(try laptop.lockbook.status().transfers == nil)
        #expect(try await laptop.text("/team/plan.md") == "plan")
        return try laptop.lockbook.shares(of: .path("/team")).map { "\($0.username) \($0.mode)" }
    }

    /// - Parameter isOut: whether carol is taken out by the device that was about to let go of it.
    @Test(arguments: [false, true])
    func `kept by another device just before it is let go of, its members have it still`(
        isOut: Bool
    ) async throws {
        try await give()
        try await phone.sync()
        try await take()
        if isOut { try laptop.lockbook.setShare(.path("/team"), of: "carol", to: nil) }
        laptop.faults.before("/v1/push") { [phone] in
            _ = try phone.lockbook.cancelTransfer(.path("/team"))
            try await phone.sync()
        }
        try await laptop.sync()
        #expect(try await kept() == ["bob write"] + (isOut ? [] : ["carol write"]))
        if isOut { return #expect(try tablet.paths().isEmpty) }
        #expect(try await tablet.text("/team/plan.md") == "plan")
    }

    /// What was given anew, when everybody knows it, and nobody has taken it over by that.
    private func givenAnew() async throws -> [String] {
        for _ in 0..<3 { for device in [laptop, phone, desk, tablet] { try await device.sync() } }
        for device in [laptop, phone] { #expect(try device.lockbook.validate() == []) }
        #expect(try laptop.lockbook.status().transfers == 1)
        #expect(try await tablet.text("/team/plan.md") == "plan")
        return try laptop.lockbook.shares(of: .path("/team")).map { "\($0.username) \($0.mode)" }
    }

    @Test func `given anew by another device just before it is let go of, its members have it`()
        async throws
    {
        try await give()
        try await phone.sync()
        try await take()
        laptop.faults.before("/v1/push") { [phone] in
            _ = try phone.lockbook.cancelTransfer(.path("/team"))
            _ = try phone.lockbook.transfer(.path("/team"), to: "bob")
            try await phone.sync()
        }
        try await laptop.sync()
        #expect(try await givenAnew() == ["bob write", "carol write"])
    }

    @Test func `given anew when it could not be taken back, its members have it`() async throws {
        try await give()
        try await phone.sync()
        try await take()
        let refusal: [UInt8] = try Lockbook_V1_ErrorResponse.with {
            $0.code = .notPermitted
            $0.message = "not now"
        }.serializedBytes()
        laptop.faults.refuse("/v1/push") { _ in (403, refusal) }
        try await laptop.sync()
        laptop.faults.tellTruth()
        _ = try laptop.lockbook.cancelTransfer(.path("/team"))
        _ = try laptop.lockbook.transfer(.path("/team"), to: "bob")
        #expect(try await givenAnew() == ["bob write", "carol write"])
    }
}
