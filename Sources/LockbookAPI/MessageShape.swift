import SwiftProtobuf

/// Where in a message other messages stand, and how many of them there may be.
///
/// The numbers are those of `lockbook.proto`.
struct MessageShape: Sendable {
    struct Field: Sendable {
        let shape: MessageShape
        let most: Int
    }

    /// Nothing in it is a message.
    static let flat = MessageShape(fields: [:])

    private(set) var fields: [UInt64: Field]

    private static func holding(_ shapes: [UInt64: MessageShape], most: Int = .max) -> MessageShape
    {
        MessageShape(fields: shapes.mapValues { Field(shape: $0, most: most) })
    }

    init(fields: [UInt64: Field]) {
        self.fields = fields
    }

    init(of type: any Message.Type) {
        switch type {
        case is Lockbook_V1_PullRequest.Type: self = Self.pullRequest
        case is Lockbook_V1_PullResponse.Type: self = Self.pullResponse
        case is Lockbook_V1_HistoryResponse.Type: self = Self.historyResponse
        case is Lockbook_V1_StageRequest.Type: self = .holding([2: .flat])
        case is Lockbook_V1_PushRequest.Type: self = .holding([4: .flat])
        case is Lockbook_V1_PushResponse.Type: self = .holding([2: Self.logUpdate, 3: .flat])
        case is Lockbook_V1_BlobsResponse.Type: self = .holding([1: .flat])
        default: self = .flat
        }
    }

    /// Of all logs that somebody follows at once, and as many again.
    private static let pullRequest = holding(
        [1: holding([5: .flat, 6: .flat])],
        most: 2 * Wire.followedLogCount
    )

    private static let pullResponse = holding([1: logUpdate])

    private static let logUpdate = holding([
        4: holding([3: .flat]),
        7: holding([4: .flat, 5: .flat]),
        8: .flat,
    ])

    private static let historyResponse = holding([1: .flat, 2: holding([4: .flat])])
}
