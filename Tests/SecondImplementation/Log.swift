// Sections 9 to 12 of docs/FORMAT.md.

extension SecondAccount {
    package func header(
        log: Bytes,
        position: UInt64,
        previous: Bytes,
        device: Bytes,
        bodyHash: Bytes,
        created: Int64
    ) -> Bytes {
        sign(
            [1] + log + u64(position) + previous + id + device + bodyHash + i64(created),
            "entry"
        )
    }

    package func checkpoint(
        log: Bytes,
        position: UInt64,
        head: Bytes,
        scopes: [(scope: Bytes, count: UInt64, digest: Bytes)],
        device: Bytes,
        created: Int64
    ) -> Bytes {
        var bytes = [1] + log + u64(position) + head + u32(UInt32(scopes.count))
        for scope in scopes { bytes += scope.scope + u64(scope.count) + scope.digest }
        return sign(bytes + id + device + i64(created) + counted([]), "checkpoint")
    }

    package func sharedCheckpoint(
        log: Bytes,
        position: UInt64,
        head: Bytes,
        states: [(scope: Bytes, hash: Bytes)],
        device: Bytes,
        created: Int64
    ) -> Bytes {
        let list = u32(UInt32(states.count)) + states.flatMap { $0.scope + $0.hash }
        return sign(
            [2] + log + u64(position) + head + list + id + device + i64(created) + counted([]),
            "checkpoint"
        )
    }

    package func grant(
        owner: Bytes,
        file: Bytes,
        to grantee: SecondAccount,
        named username: String,
        mode: UInt8,
        serial: UInt64,
        created: Int64
    ) -> Bytes {
        sign(
            [1] + owner + file + grantee.publicKeys + counted(ascii(username)) + [mode] + id
                + u64(serial) + i64(created),
            "grant"
        )
    }
}

package enum SecondLog {
    package static func group(
        scope: Bytes,
        records: [(file: Bytes, hash: Bytes)],
        grants: [Bytes] = [],
        wraps: [Bytes] = [],
        purged: [Bytes] = [],
        left: [Bytes] = [],
        inner: [Bytes] = [],
        isMoved: Bool = false,
        extra: Bytes = []
    ) -> Bytes {
        let border = left.isEmpty && inner.isEmpty && !isMoved ? 0 : isMoved ? 4 : 3 as UInt8
        let format = border > 0 ? border : purged.isEmpty ? 1 : 2
        func list(_ files: [Bytes]) -> Bytes { u32(UInt32(files.count)) + files.flatMap { $0 } }
        return [format] + scope + u32(UInt32(records.count))
            + records.flatMap { $0.file + $0.hash }
            + u32(UInt32(grants.count)) + grants.flatMap { counted($0) }
            + u32(UInt32(wraps.count)) + wraps.flatMap { counted($0) }
            + (format > 1 ? list(purged) : []) + (format > 2 ? list(left) + list(inner) : [])
            + counted(extra)
    }

    package static func bodyHash(certificate: Bytes?, groups: [Bytes]) -> Bytes {
        var bytes: Bytes = [1, certificate == nil ? 0 : 1]
        if let certificate { bytes += labelled("certificate", certificate) }
        bytes += u32(UInt32(groups.count)) + groups.flatMap { labelled("group", $0) }
        return labelled("entry-body", bytes)
    }

    /// Of a log that is shared: each group's scope stands before its hash.
    package static func sharedBodyHash(groups: [(scope: Bytes, bytes: Bytes)]) -> Bytes {
        let parts = groups.flatMap { $0.scope + labelled("group", $0.bytes) }
        return labelled("entry-body", [2, 0] + u32(UInt32(groups.count)) + parts)
    }

    package static func headerHash(_ header: Bytes) -> Bytes { labelled("header", header) }

    package static func scopeDigest(_ records: [(file: Bytes, hash: Bytes)]) -> Bytes {
        labelled("scope", records.flatMap { $0.file + $0.hash })
    }

    /// What all of a scope's state hashes to is in the order of the state.
    package static func stateBody(
        fileCount: UInt64,
        digest: Bytes,
        inner: [Bytes],
        wraps: [Bytes],
        extra: Bytes = []
    ) -> Bytes {
        [1] + u64(fileCount) + digest + u32(UInt32(inner.count)) + inner.flatMap { $0 }
            + u32(UInt32(wraps.count)) + wraps.flatMap { counted($0) } + counted(extra)
    }

    /// - Parameter shown: whether the body is shown, and which grants are.
    package static func seenState(
        scope: Bytes,
        body: Bytes,
        grants: [Bytes],
        shown: (body: Bool, grant: (Int) -> Bool) = (true, { _ in true })
    ) -> Bytes {
        func part(_ bytes: Bytes, _ isShown: Bool, _ label: String) -> Bytes {
            isShown ? [1] + counted(bytes) : [0] + labelled(label, bytes)
        }
        return [1] + scope + part(body, shown.body, "scope-body") + u32(UInt32(grants.count))
            + grants.indices.flatMap { part(grants[$0], shown.grant($0), "scope-grant") }
    }

    package static func stateHash(scope: Bytes, body: Bytes, grants: [Bytes]) -> Bytes {
        labelled(
            "scope-state",
            scope + labelled("scope-body", body) + u32(UInt32(grants.count))
                + grants.flatMap { labelled("scope-grant", $0) }
        )
    }

    private static func wrapInfo(_ owner: Bytes, _ file: Bytes, _ epoch: UInt32, _ grantee: Bytes)
        -> Bytes
    {
        label("grantee-wrap") + owner + file + u32(epoch) + grantee
    }

    package static func granteeWrap(
        _ key: Bytes,
        owner: Bytes,
        file: Bytes,
        epoch: UInt32,
        to grantee: SecondAccount,
        ephemeral: Bytes
    ) -> Bytes? {
        HPKE.seal(
            key,
            to: grantee.agreementPublic,
            info: wrapInfo(owner, file, epoch, grantee.id),
            ephemeral: ephemeral
        ).map { [1] + owner + file + u32(epoch) + grantee.id + $0 }
    }

    package static func openGranteeWrap(_ wrap: Bytes, by grantee: SecondAccount) throws -> Bytes? {
        var reader = Reader(wrap)
        try reader.format()
        let owner = try reader.take(32)
        let file = try reader.take(16)
        let epoch = UInt32(try reader.number(4))
        let id = try reader.take(32)
        let sealed = try reader.take(80)
        try reader.finish()
        return HPKE.open(
            sealed,
            key: grantee.agreementKey,
            info: wrapInfo(owner, file, epoch, id)
        )
    }
}

/// Section 14.
package func secondDirectoryKey(device: Bytes) -> Bytes {
    OpenSSL.expand(device, ascii("lockbook/v1/device/directory"), 32)
}

package func secondDirectoryBinding(folder: Bytes, block: UInt64) -> Bytes {
    label("directory") + folder + u64(block)
}
