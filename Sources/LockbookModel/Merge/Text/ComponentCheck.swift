/// Reads calendars (RFC 5545, 7986) and contacts (RFC 6350): properties between `BEGIN` and `END`.
struct ComponentCheck {
    /// A component that has not ended yet.
    private struct Level {
        let name: [UInt8]
        let start: Int
        var seen: Set<[UInt8]> = []
        /// The lines that tell it from others.
        var id: [[UInt8]] = []
    }

    private var levels: [Level] = []
    private var repeated: [[UInt8]: Int] = [:]
    /// Events, tasks, entries and contacts, each by what tells it from all others.
    private var records: [[UInt8]: ArraySlice<UInt8>] = [:]
    /// Whether the line before is of what tells a component from others.
    private var isAtID = false

    private static let depthLimit = 32

    /// How often each property comes again in a component that may have it once, and each component.
    ///
    /// Two events with one `UID` are one to a reader, if they are not of two dates of a series.
    /// Nil where a line is no property, or a component has no end.
    static func repeatedProperties(in bytes: [UInt8]) -> [[UInt8]: Int]? {
        ComponentCheck(bytes)?.repeated
    }

    /// Whether each event, task and contact that has a `UID` is as the two sides have it.
    ///
    /// What came to the place of another one is no version of it: who changed that one changed nothing
    /// here. Of what is unreadable, or is there twice, nothing is said.
    static func keepsRecords(
        _ merged: [UInt8],
        of base: [UInt8],
        from local: [UInt8],
        and remote: [UInt8]
    ) -> Bool {
        guard let old = ComponentCheck(base), let mine = ComponentCheck(local),
            let theirs = ComponentCheck(remote), let here = ComponentCheck(merged)
        else { return true }
        let all = [old, mine, theirs, here]
        guard all.allSatisfy({ $0.repeated.isEmpty }) else { return true }
        return Set(all.flatMap(\.records.keys)).allSatisfy { id in
            let versions = ThreeWay(
                base: old.records[id],
                local: mine.records[id],
                remote: theirs.records[id]
            )
            let record = here.records[id]
            guard versions.isDecidedAgainstLocal else { return record == versions.merged }
            guard let mine = versions.local, let theirs = versions.remote, let record else {
                return false
            }
            return ComponentFields(record).isMade(
                of: ComponentFields(versions.base ?? []),
                by: ComponentFields(mine),
                and: ComponentFields(theirs)
            )
        }
    }

    /// - Returns: nil where a line is no property, or a component has no end.
    private init?(_ bytes: [UInt8]) {
        var cursor = LineCursor(bytes[...])
        while let line = cursor.line() {
            // A line that begins with a blank is more of the one before.
            guard let first = line.first else { continue }
            if first == 0x20 || first == 0x09 {
                goOn(line.dropFirst())
            } else if !read(line, of: bytes) {
                return nil
            }
        }
        guard levels.isEmpty else { return nil }
    }

    private mutating func goOn(_ line: ArraySlice<UInt8>) {
        guard isAtID, let last = levels.last?.id.indices.last else { return }
        levels[levels.count - 1].id[last] += line
    }

    private mutating func read(_ line: ArraySlice<UInt8>, of bytes: [UInt8]) -> Bool {
        guard let end = line.firstIndex(where: { $0 == 0x3A || $0 == 0x3B }),
            end - line.startIndex <= KeyLevels.lengthLimit
        else { return false }
        // A contact's properties may be in groups: `item1.TEL`.
        let name = Self.upper(line[..<end].split(separator: 0x2E).last ?? [])
        isAtID = false
        if name == Self.begin {
            let component = Self.upper(line[(end + 1)...].prefix(64).withoutTrail)
            levels.append(Level(name: component, start: line.startIndex))
            return levels.count <= Self.depthLimit
        }
        if name == Self.end {
            guard let ended = levels.popLast() else { return false }
            if Self.identified.contains(ended.name), !ended.id.isEmpty {
                // In one order, whichever of them stands first.
                let id = ended.id.sorted { $1.lexicographicallyPrecedes($0) }.flatMap { $0 }
                let record = bytes[ended.start..<line.endIndex]
                if records.updateValue(record, forKey: ended.name + id) != nil {
                    repeated[id, default: 0] += 1
                }
            }
            return ended.name == Self.upper(line[(end + 1)...].prefix(64).withoutTrail)
        }
        if name == Self.uid || name == Self.recurrence, !levels.isEmpty {
            isAtID = true
            levels[levels.count - 1].id.append(Array(line))
        }
        guard let component = levels.last?.name, Self.isOnce(name, in: component) else {
            return true
        }
        // The same in several languages is one property.
        if component == Self.contact, line[end] == 0x3B, Self.hasAlternatives(line[end...]) {
            return true
        }
        if !levels[levels.count - 1].seen.insert(name).inserted {
            repeated[name, default: 0] += 1
        }
        return true
    }

    private static func isOnce(_ name: [UInt8], in component: [UInt8]) -> Bool {
        if component == contact { return onceInContacts.contains(name) }
        if name == description { return described.contains(component) }
        return onceInCalendars.contains(name)
    }

    private static func hasAlternatives(_ parameters: ArraySlice<UInt8>) -> Bool {
        upper(parameters.prefix { $0 != 0x3A }.prefix(1_024)).contains(alternative)
    }

    static func upper(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    }

    private static func names(_ words: String) -> Set<[UInt8]> {
        Set(words.utf8.split(separator: 0x20).map { Array($0) })
    }

    private static let begin = Array("BEGIN".utf8)
    private static let end = Array("END".utf8)
    private static let uid = Array("UID".utf8)
    private static let recurrence = Array("RECURRENCE-ID".utf8)
    private static let identified = names("VEVENT VTODO VJOURNAL VCARD")
    private static let contact = Array("VCARD".utf8)
    private static let description = Array("DESCRIPTION".utf8)
    private static let alternative = Array(";ALTID=".utf8)
    /// Entries of a journal may have several descriptions, and so may a calendar.
    private static let described = names("VEVENT VTODO VALARM")
    private static let onceInCalendars = names(
        "ACTION CALSCALE CLASS COLOR COMPLETED CREATED DTEND DTSTAMP DTSTART DUE DURATION GEO "
            + "LAST-MODIFIED LOCATION METHOD ORGANIZER PERCENT-COMPLETE PRIORITY PRODID "
            + "RECURRENCE-ID REFRESH-INTERVAL REPEAT RRULE SEQUENCE SOURCE STATUS SUMMARY TRANSP "
            + "TRIGGER TZID TZOFFSETFROM TZOFFSETTO TZURL UID URL VERSION"
    )
    private static let onceInContacts = names(
        "ANNIVERSARY BDAY BIRTHPLACE DEATHDATE DEATHPLACE GENDER KIND N PRODID REV UID VERSION"
    )
}
