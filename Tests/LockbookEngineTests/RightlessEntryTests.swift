import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// Entries of somebody who may change nothing, in which nothing is changed, that a server lets through.
struct RightlessEntryTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// What such an entry has in it.
    enum Body: CaseIterable, Sendable {
        case nothing
        /// As it was signed before anything was shared.
        case nothingUnshared
        case emptyGroup
        case emptyGroupUnshared
        /// Of what is the owner's alone.
        case rootGroup
        /// The same, as who may not see it gets it.
        case hiddenRootGroup

        var isUnshared: Bool { self == .nothingUnshared || self == .emptyGroupUnshared }
    }

    @Test(arguments: Body.allCases, [false, true])
    func `an entry of a reader, or of who was taken out, is refused by all`(
        body: Body,
        isOut: Bool
    ) async throws {
        let (laptop, desk) = try await shared(.read)
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .write, laptop, tablet)
        if isOut {
            try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
            try await laptop.sync()
            try await tablet.sync()
        }
        let scope = try #require(FileID(hex: try laptop.lockbook.info(.path("/team")).id))
        let owner = laptop.lockbook.store.context.owner
        let author = desk.lockbook.keys
        for device in [laptop, tablet] {
            let before = try await device.snapshot()
            device.faults.lie("/v1/pull") {
                try add(body, by: author, in: scope, of: owner, to: $0)
            }
            await #expect {
                try await device.sync()
            } throws: { error in
                if case LockbookError.integrity = error { true } else { false }
            }
            #expect(try await device.snapshot() == before, "\(device.name)")
            device.faults.tellTruth()
            try await device.sync()
        }
        try tablet.write("/team/plan.md", "of carol")
        try await tablet.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "of carol")
    }
}

/// The answer to a pull with one more entry at the end of a log.
private func add(
    _ body: RightlessEntryTests.Body,
    by author: AccountKeys,
    in scope: FileID,
    of owner: AccountID,
    to answer: [UInt8]
) throws -> [UInt8] {
    var response = try Lockbook_V1_PullResponse(serializedBytes: Data(answer))
    guard let log = response.logs.firstIndex(where: { Array($0.log) == owner.hash.bytes }) else {
        return answer
    }
    let place: FileID? =
        switch body {
        case .nothing, .nothingUnshared: nil
        case .emptyGroup, .emptyGroupUnshared: scope
        case .rootGroup, .hiddenRootGroup: FileID(rootOf: owner)
        }
    let groups = place.map { [EntryGroup(scope: $0, records: [])] } ?? []
    let header = try EntryHeader(
        log: owner,
        position: response.logs[log].headPosition + 1,
        previous: try #require(Hash256(Array(response.logs[log].head))),
        author: AccountID(author.publicKeys),
        device: DeviceID(random: .system),
        bodyHash: EntryBody(
            groups: groups.map { .whole($0.bytes) },
            scopes: body.isUnshared ? nil : groups.map(\.scope)
        ).hash,
        created: Timestamp(milliseconds: 1),
        signedBy: author.signing
    )
    response.logs[log].entries.append(
        .with {
            $0.header = Data(header.bytes)
            $0.groups = groups.map { group in
                Lockbook_V1_Group.with {
                    if body == .hiddenRootGroup {
                        let hash = EntryGroup.hash(of: group.bytes)
                        $0.hidden = Data(group.scope.bytes + hash.bytes)
                    } else {
                        $0.whole = Data(group.bytes)
                    }
                }
            }
        }
    )
    response.logs[log].headPosition += 1
    response.logs[log].head = Data(header.hash.bytes)
    return Array(try response.serializedData() as Data)
}
