/// Draws events.
struct Planner {
    let deviceCount: Int
    /// Whether contents are drawn that are files, and travel in segments.
    let hasLarge: Bool
    /// What there is more of in this world.
    let focus: Int
    var isSharing = false
    var isCalm = false
    /// Whether people take back, bring back and decide.
    var hasCommands = false
    /// Whether shares get other owners.
    var hasTransfers = false
    /// Whether people copy out to the disk, and take in from it.
    var hasDisk = false

    func event(_ draw: inout Draw) -> Event {
        let kind: Event.Kind =
            draw.weighted([
                (64, nil), (isSharing ? 32 : 20, .sync), (1, .restart), (isCalm ? 0 : 8, .kill),
            ]) ?? edit(&draw)
        switch kind {
        case .sync: return sync(&draw)
        case .kill: return fault(&draw)
        default: return make(kind, &draw)
        }
    }

    private func make(_ kind: Event.Kind, _ draw: inout Draw) -> Event {
        Event(kind: kind, device: draw.below(deviceCount), draw: draw.next())
    }

    private func edit(_ draw: inout Draw) -> Event.Kind {
        if hasCommands, draw.once(in: 4) { return command(&draw) }
        if hasDisk, draw.once(in: 6) { return draw.weighted([(3, .mirror), (2, .importFolder)]) }
        if isSharing, draw.below(5) < 2 { return sharing(&draw) }
        let folders = focus == 1 ? 3 : 1
        let texts = focus == 2 ? 2 : 1
        return draw.weighted([
            (4, .create), (5 * folders, .createFolder), (10, .write), (8 * texts, .append),
            (16 * texts, .change), (2, .replace), (4, .writeBytes), (hasLarge ? 3 : 0, .writeLarge),
            (9 * folders, .move), (6, .rename), (6, .delete), (4, .copy),
        ])
    }

    private func command(_ draw: inout Draw) -> Event.Kind {
        draw.weighted([
            (8, .undo), (6, .restoreVersion), (6, .resolve), (5, .restore), (1, .purge),
            (1, .emptyTrash),
        ])
    }

    private func sharing(_ draw: inout Draw) -> Event.Kind {
        if hasTransfers, draw.once(in: 4) {
            return draw.weighted([(5, .transfer), (8, .accept), (1, .cancelTransfer)])
        }
        return draw.weighted([
            (8, .share), (14, .accept), (2, .reject), (2, .leave), (4, .shareMode), (5, .revoke),
            (4, .moveOut), (3, .moveIn), (8, .moveShared), (2, .deleteShared),
            (2, .deleteLink), (4, .restore), (2, .purge), (2, .emptyTrash),
        ])
    }

    private func sync(_ draw: inout Draw) -> Event {
        var event = make(.sync, &draw)
        if isCalm { return event }
        let count = draw.weighted([(10, 0), (6, 1), (3, 2), (1, 4)])
        var draws = Draw(event.draw, 1)
        for _ in 0..<count {
            let happening: Interruption.Happening =
                draw.once(in: 2) ? .fault(wireFault(&draw)) : .event(inner(of: event, &draw))
            event.interruptions.append(
                Interruption(
                    request: draw.below(4),
                    happening: happening,
                    draw: draws.next()
                )
            )
        }
        return event
    }

    private func wireFault(_ draw: inout Draw) -> Interruption.Fault {
        draw.weighted([
            (3, .lost), (4, .answerLost), (3, .doubled), (3, .late), (2, .killedBefore),
            (3, .killedBeforeAnswer), (3, .serverKilled),
            (hasLarge ? 6 : 0, .serverKilledInPart),
        ])
    }

    /// What happens while a request of a sync is under way: mostly somebody types, on this device
    /// or another one, or another device syncs first.
    private func inner(of outer: Event, _ draw: inout Draw) -> Event {
        let kind: Event.Kind? = draw.weighted([(10, nil), (8, .sync), (1, .killServer), (1, .away)])
        var event = make(kind ?? edit(&draw), &draw)
        if kind == nil, draw.once(in: 2) {
            event.device = outer.device
            if draw.once(in: 2) { event.kind = .change }
        }
        if kind == .sync, event.device == outer.device {
            event.device = (outer.device + 1) % deviceCount
        }
        return event
    }

    private func fault(_ draw: inout Draw) -> Event {
        let kind: Event.Kind = draw.weighted([
            (4, .kill), (4, .killWhileEditing), (6, .killWhileSyncing), (2, .fullDisk),
            (3, .killServer), (3, .away), (1, .wrongClock), (3, .backUp), (3, .putBack),
            (1, .duplicate),
        ])
        return make(kind, &draw)
    }
}

extension Event {
    /// This event and those inside it that a condition holds for.
    func count(where condition: (Kind) -> Bool) -> Int {
        let inner = interruptions.reduce(0) { count, interruption in
            guard case .event(let event) = interruption.happening else { return count }
            return count + event.count(where: condition)
        }
        return inner + (condition(kind) ? 1 : 0)
    }

    var faultCount: Int {
        interruptions.count(where: \.isFault)
            + count {
                !$0.isOfUsers && $0 != .sync && $0 != .restart && $0 != .backUp
            }
    }
}
