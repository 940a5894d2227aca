/// How many bytes of large bodies are held at once: who comes when there is no room waits for his turn.
///
/// Small requests go past it, so that large ones keep nobody from reading.
actor BodyBudget {
    /// Smaller bodies are not counted.
    static let smallByteCount = 1 << 20

    private var free: Int
    private var waiting: [(byteCount: Int, goOn: CheckedContinuation<Void, Never>)] = []

    init(byteCount: Int) { free = byteCount }

    /// Waits until so many bytes may be held; `giveBack` ends it.
    func take(_ byteCount: Int) async {
        if waiting.isEmpty, byteCount <= free {
            free -= byteCount
        } else {
            await withCheckedContinuation { waiting.append((byteCount, $0)) }
        }
    }

    func giveBack(_ byteCount: Int) {
        free += byteCount
        while let next = waiting.first, next.byteCount <= free {
            free -= next.byteCount
            waiting.removeFirst().goOn.resume()
        }
    }

    /// How many wait, for tests.
    var waitingCount: Int { waiting.count }
}
