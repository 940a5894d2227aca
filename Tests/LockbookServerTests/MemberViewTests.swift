import LockbookCrypto
import LockbookModel
import Testing

@testable import LockbookServer

/// What a member sees whose right has changed often.
struct MemberViewTests {
    private let shared = FileID(random: .system)
    private let other = FileID(random: .system)

    /// Rights on one file, each from a position on.
    private func view(_ modes: [(position: UInt64, mode: ShareMode)]) throws -> MemberView {
        let ends = modes.dropFirst().map { UInt64?.some($0.position) } + [nil]
        let memberships = zip(modes, ends).map { grant, end in
            StoredMembership(
                file: shared,
                mode: grant.mode,
                position: grant.position,
                superseded: end
            )
        }
        return try MemberView(memberships) { _, _ in nil }
    }

    @Test func `is what held before an entry or after it`() throws {
        let modes: [ShareMode] = [.read, .write, .none, .read, .admin, .none, .write]
        let view = try view(modes.enumerated().map { (UInt64(10 * $0.offset + 10), $0.element) })
        for position: UInt64 in 0...100 {
            let isIn = [10...29, 40...59, 70...100].contains { $0.contains(position) }
            #expect(try view.sees(shared, after: position) == isIn, "after \(position)")
            // The entry that takes a right back is seen.
            let isShown = isIn || position == 30 || position == 60
            #expect(try view.sees(shared, at: position) == isShown, "at \(position)")
            #expect(view.held(shared, until: position) == (position >= 10))
        }
        #expect(try view.sees(shared) && !view.sees(other))
        #expect(view.last == nil && view.first == 70)
    }

    @Test func `ends with the entry that took the last right back`() throws {
        let view = try view([(10, .read), (20, .none)])
        #expect(try !view.sees(shared))
        #expect(view.last == 20 && view.first == nil)
        let again = try self.view([(10, .read), (20, .none), (30, .read), (40, .write)])
        #expect(again.last == nil && again.first == 30)
    }
}
