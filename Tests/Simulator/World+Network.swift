import LockbookEngine

/// Carries the requests of one device into its world.
struct SimulatedConnection: ServerConnection {
    let world: World
    /// Nil for a look at the server that is no part of the plan, to which nothing happens.
    let device: Int?

    func send(_ request: WireRequest) async throws -> WireResponse {
        guard let device else { return try await world.deliver(request) }
        return try await world.exchange(request, from: device)
    }

    func close() async {}
}

extension World {
    private static func offline(_ reason: String) -> LockbookError {
        .offline(server: "simulated", reason: reason)
    }

    /// A little less than the time that a server takes a request's signature for.
    private static let signatureMilliseconds: Int64 = 240_000

    /// One request with whatever happens to it.
    func exchange(_ request: WireRequest, from number: Int) async throws -> WireResponse {
        let device = devices[number]
        let index = device.requests
        device.requests += 1
        guard !device.folder.isDead else { throw Self.offline("the process is dead") }
        let now = device.interruptions.filter { $0.strikes(request, at: index) }
        device.interruptions.removeAll { $0.strikes(request, at: index) }
        // Keys are wrapped for others with randomness of the library's own.
        let digest = plan.isSharing ? "" : request.digest
        trace("device \(number) asks \(request.path) \(digest)")
        var fault: (kind: Interruption.Fault, draw: UInt64)?
        let signed = clock.now
        for interruption in now {
            switch interruption.happening {
            case .event(let event):
                tally.count(event.kind == .sync ? "sync during a sync" : "event during a sync")
                do {
                    try await happen(event)
                } catch let failure as Broken {
                    broken = broken ?? failure
                    throw failure
                }
            case .fault(let kind): fault = fault ?? (kind, interruption.draw)
            }
        }
        guard !device.folder.isDead else { throw Self.offline("the process is dead") }
        if clock.now - signed > Self.signatureMilliseconds { device.lateSignatures += 1 }
        guard let fault else {
            let response = try await deliver(request)
            if plan.isSharing { try countCheckpoints(request, response, of: device) }
            return response
        }
        tally.count("request \(fault.kind.rawValue)")
        trace("  \(fault.kind)")
        switch fault.kind {
        case .lost: throw Self.offline("lost")
        case .answerLost:
            _ = try await deliver(request)
            throw Self.offline("the answer was lost")
        case .doubled:
            let first = try await deliver(request)
            let second = try await deliver(request)
            return device.number.isMultiple(of: 2) ? first : second
        case .late:
            lateRequests.append(request)
            throw Self.offline("given up")
        case .killedBefore:
            device.folder.kill()
            throw Self.offline("the process is dead")
        case .killedBeforeAnswer:
            device.folder.kill()
            _ = try await deliver(request)
            throw Self.offline("the process is dead")
        case .serverKilled, .serverKilledInPart:
            var draw = Draw(fault.draw)
            // The part is the first that its request writes.
            let most = fault.kind == .serverKilled ? 29 : 1
            server.folder.die(atOperation: UInt64(1 + draw.below(most)))
            return try await deliver(request, crash: draw.next())
        }
    }

    /// The server's answer, unless it dies over it.
    /// - Parameter seed: what is left of it then.
    func deliver(_ request: WireRequest, crash seed: UInt64 = 0) async throws -> WireResponse {
        if request.isPart { tally.count("parts of large contents sent") }
        let response = try await server.answer(request)
        for what in server.leftovers.take() { tally.count(what) }
        guard !server.folder.isDead else {
            tally.count("server killed in its work")
            if request.isPart { tally.count("server killed in a part of a large content") }
            try server.crash(seed: seed)
            throw Self.offline("the server died")
        }
        server.folder.spare()
        return response
    }

    func deliverLateRequests() async throws {
        let late = lateRequests
        lateRequests = []
        for request in late {
            trace("late: \(request.path)")
            do {
                let response = try await deliver(request)
                tally.count("late request, status \(response.status)")
            } catch is LockbookError {}
        }
    }
}

extension WireRequest {
    /// Tells requests apart without reading their bodies.
    fileprivate var digest: String {
        fields.first { $0.name == "Content-Digest" }.map { String($0.value.prefix(24)) } ?? ""
    }
}
