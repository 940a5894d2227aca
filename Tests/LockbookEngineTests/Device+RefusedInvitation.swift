import LockbookEngine
import LockbookTestSupport
import Testing

extension Device {
    /// Expects that an invitation is refused here, with these words in the reason.
    func refuses(
        _ code: String,
        _ part: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(sourceLocation: sourceLocation) {
            _ = try await self.lockbook.acceptInvitation(code)
        } throws: { error in
            guard case LockbookError.invitationRefused(let reason) = error else { return false }
            return reason.contains(part)
        }
    }
}
