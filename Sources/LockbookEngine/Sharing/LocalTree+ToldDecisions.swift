import LockbookCrypto
import LockbookModel

/// What was decided of somebody in a share that goes to another owner, and is for that one to do.
struct ToldDecision: Hashable {
    let file: FileID
    let grantee: AccountID
    let mode: ShareMode
    /// When it was signed; nil for what is not in the log yet.
    let signed: Timestamp?

    init(_ decision: MemberDecision, of file: FileID) {
        self.file = file
        (grantee, mode, signed) = (decision.grantee, decision.mode, decision.signed)
    }

    fileprivate init(reading decoder: inout CanonicalDecoder) throws {
        let id = FileID(try decoder.fixed(16))
        grantee = AccountID(hash: try decoder.hash())
        guard let id, let mode = ShareMode(rawValue: try decoder.byte()) else {
            throw DecodingFailure.invalid(field: "told")
        }
        (file, self.mode) = (id, mode)
        signed =
            try decoder.bool("isSigned")
            ? Timestamp(milliseconds: try decoder.int64()) : nil
    }

    fileprivate func write(to encoder: inout CanonicalEncoder) {
        encoder.append(fixed: file.bytes)
        encoder.append(grantee.hash)
        encoder.append(mode.rawValue)
        encoder.append(signed != nil)
        if let signed { encoder.append(signed.milliseconds) }
    }
}

/// Each is told once, however long the transfer takes.
extension LocalTree {
    func toldDecisions() throws -> [ToldDecision] {
        guard let bytes = try setting(.toldDecisions) else { return [] }
        var decoder = CanonicalDecoder(bytes)
        var told: [ToldDecision] = []
        for _ in 0..<(try decoder.uint32()) { told.append(try ToldDecision(reading: &decoder)) }
        try decoder.finish()
        return told
    }

    /// Keeps these besides what was told of transfers that go on.
    func keepTold(_ decisions: [ToldDecision]) throws {
        let open = Set(try transfers().filter(\.isOpen).map(\.file))
        let told = try toldDecisions().filter { open.contains($0.file) } + decisions
        var encoder = CanonicalEncoder()
        encoder.append(UInt32(told.count))
        for decision in told { decision.write(to: &encoder) }
        try set(.toldDecisions, to: encoder.bytes)
    }
}
