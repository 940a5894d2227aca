/// Lets one at a time bring files and the rows that name them together, or take both away.
///
/// Otherwise a collection could delete a file between its being found and its being named again.
actor BlobPlacing {
    private var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    nonisolated func hold<Value>(_ body: () async throws -> Value) async throws -> Value {
        await enter()
        do {
            let value = try await body()
            await leave()
            return value
        } catch {
            await leave()
            throw error
        }
    }

    private func enter() async {
        guard isHeld else {
            isHeld = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func leave() {
        if waiting.isEmpty {
            isHeld = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
