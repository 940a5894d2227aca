import LockbookCrypto

/// What the body extension of a file other than the root says: of transfers, and of how it died.
package struct FileMark: Equatable, Sendable {
    /// The first says nothing of a death; `diedWithFolder` is one more, `diedUnseen` two more.
    ///
    /// What only says something of transfers is written as ever, so that older programs read it.
    private static let formats: ClosedRange<UInt8> = 1...4
    /// How many owners back a share is followed.
    package static let maximumSuccessionCount = 8

    /// Which version of which file of the earlier owner this one is a copy of.
    package struct Origin: Equatable, Sendable {
        package var file: FileID
        package var version: VersionID?
        /// The version that the copy had then; what has another one was changed since.
        package var copy: VersionID?

        package init(file: FileID, version: VersionID?, copy: VersionID?) {
            self.file = file
            self.version = version
            self.copy = copy
        }
    }

    /// Signatures are looked at when something is asked for that they are under: most who read a mark ask
    /// how the file died, and anybody can have it hold sixteen.
    private var offerBytes: [UInt8] = []
    private var successionBytes: [[UInt8]] = []

    /// Nil also for one that does not verify.
    package var offer: TransferOffer? {
        get { offerBytes.isEmpty ? nil : try? TransferOffer(verifying: offerBytes) }
        set { offerBytes = newValue?.bytes ?? [] }
    }
    /// What this file continues, the last owner's first; none behind one that does not verify.
    package var successions: [Succession] {
        get { verified { _ in true } }
        set { successionBytes = newValue.map(\.bytes) }
    }
    package var origin: Origin?
    /// Whether the file was deleted because the folder it stood in was: it comes back with that.
    package var diedWithFolder = false
    /// Whether who deleted the file, or the folder it stood in, had not seen its last content: it is
    /// not purged before somebody decides.
    package var diedUnseen = false

    package init() {}

    package init(origin: Origin) { self.origin = origin }

    package var bytes: [UInt8] {
        guard self != FileMark() else { return [] }
        var encoder = CanonicalEncoder(reserving: 512)
        let death: UInt8 = (diedWithFolder ? 1 : 0) + (diedUnseen ? 2 : 0)
        encoder.append(Self.formats.lowerBound + death)
        encoder.append(counted: offerBytes)
        encoder.append(UInt32(successionBytes.count))
        for succession in successionBytes { encoder.append(counted: succession) }
        encoder.append(origin != nil)
        if let origin {
            encoder.append(fixed: origin.file.bytes)
            for version in [origin.version, origin.copy] {
                encoder.append(counted: version?.bytes ?? [])
            }
        }
        return encoder.bytes
    }

    /// Reads a body extension.
    ///
    /// Whoever may write may put anything there; what is no mark, or does not verify, says nothing.
    package init(reading bytes: [UInt8]) {
        if !bytes.isEmpty, let mark = try? FileMark(decoding: bytes) { self = mark }
    }

    private init(decoding bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        let format = try decoder.byte()
        guard Self.formats.contains(format) else {
            throw DecodingFailure.invalid(field: "format")
        }
        let death = format - Self.formats.lowerBound
        (diedWithFolder, diedUnseen) = (death & 1 != 0, death & 2 != 0)
        offerBytes = Array(try decoder.counted())
        // Nothing longer, or there would be no room for what is said besides.
        guard offerBytes.isEmpty || offerBytes.count == TransferOffer.byteCount else {
            throw DecodingFailure.invalid(field: "offer")
        }
        for _ in 0..<(try decoder.count(itemsOfAtLeast: 4)) {
            guard successionBytes.count < Self.maximumSuccessionCount else {
                throw DecodingFailure.invalid(field: "successions")
            }
            let bytes = Array(try decoder.counted())
            guard bytes.count == Succession.byteCount else {
                throw DecodingFailure.invalid(field: "succession")
            }
            successionBytes.append(bytes)
        }
        if try decoder.bool("origin") {
            let file = FileID(exactly: try decoder.fixed(16))
            var versions: [VersionID?] = []
            for _ in 0..<2 as Range<Int> {
                let version = try decoder.counted()
                let read = VersionID(version)
                guard read != nil || version.isEmpty else {
                    throw DecodingFailure.invalid(field: "version")
                }
                versions.append(read)
            }
            origin = Origin(file: file, version: versions[0], copy: versions[1])
        }
        try decoder.finish()
    }

    /// What a file of an account continues, the last owner's first; nothing where the signatures
    /// are about something else.
    ///
    /// Nobody takes over what is his: who reads such a file would look for its source in the same store.
    package func sources(of target: LinkTarget) -> [Succession] {
        var next = target
        return verified { succession in
            let source = succession.offer.source
            guard succession.target == next, source.owner != next.owner else { return false }
            next = source
            return true
        }
    }

    /// The first successions, as long as they verify and are asked for.
    private func verified(while isAskedFor: (Succession) -> Bool) -> [Succession] {
        var found: [Succession] = []
        for bytes in successionBytes {
            guard let succession = try? Succession(verifying: bytes), isAskedFor(succession) else {
                break
            }
            found.append(succession)
        }
        return found
    }

    /// The first of them alone.
    package func source(of target: LinkTarget) -> Succession? {
        var first = self
        first.successionBytes = Array(successionBytes.prefix(1))
        return first.sources(of: target).first
    }

    /// The mark of what is made out of this file, by who takes it over.
    package func succeeded(by succession: Succession) -> [Succession] {
        let earlier = sources(of: succession.offer.source)
        return [succession] + earlier.prefix(Self.maximumSuccessionCount - 1)
    }
}
