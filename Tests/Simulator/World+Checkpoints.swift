import LockbookAPI
import LockbookEngine
import LockbookModel
import SwiftProtobuf

extension World {
    /// Counts checkpoints of logs with shares that are kept, and states that devices begin with.
    func countCheckpoints(
        _ request: WireRequest,
        _ response: WireResponse,
        of device: SimulatedDevice
    ) throws {
        guard response.status == 200 else { return }
        switch request.path {
        case Endpoint.checkpoint.path:
            let sent = try Lockbook_V1_CheckpointRequest(serializedBytes: request.body)
            if !sent.states.isEmpty { tally.count("checkpoint of shares kept") }
        case Endpoint.pull.path:
            let asked = try Lockbook_V1_PullRequest(serializedBytes: request.body)
            let answer = try Lockbook_V1_PullResponse(serializedBytes: response.body)
            for (position, update) in zip(asked.logs, answer.logs)
            where !update.checkpoint.states.isEmpty {
                let owner = try AccountCertificate(
                    verifying: Array(update.checkpoint.certificate)
                ).username.text
                let who = owner == Self.usernames[device.account] ? "owner" : "member"
                let when = position.known ? "after it was away" : "as a new one"
                tally.count("\(who)'s device begins with a checkpoint of shares, \(when)")
            }
        default: break
        }
    }
}
