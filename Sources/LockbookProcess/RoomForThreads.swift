import Glibc

/// How many threads more this process may have.
///
/// The limits of its user, service, container and memory show in one way only: none is made. libdispatch then
/// tries again for ever, and NIO ends the process; so it is asked first.
package enum RoomForThreads {
    private typealias Body = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

    /// No more than are made in a moment: who has more cores is seldom held to so few threads.
    private static let coreCount = min(16, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    /// What work on all cores takes: libdispatch has threads of their own for each of two priorities, and one
    /// that watches them.
    package static let ofWork = 2 * coreCount + 1
    /// Those, and what connections take: the loop that waits for them, looking up a name.
    package static let ofConnections = ofWork + 2
    /// What a server takes: loops that wait for connections, and what reads and writes disks.
    package static let ofServer = 4 * coreCount + 4

    /// Makes so many threads that are there together, and ends them again.
    ///
    /// Their stacks are as large as those of the libraries, which count where memory is limited.
    package static func isThere(for count: Int) -> Bool {
        var gate = sem_t()
        return withUnsafeMutablePointer(to: &gate) { gate in
            guard sem_init(gate, 0, 0) == 0 else { return false }
            var made: [pthread_t] = []
            defer {
                for _ in made { sem_post(gate) }
                for thread in made { pthread_join(thread, nil) }
                sem_destroy(gate)
            }
            while made.count < count {
                var thread = pthread_t()
                guard pthread_create(&thread, nil, wait, gate) == 0 else { return false }
                made.append(thread)
            }
            return true
        }
    }

    /// A thread's work: nothing, once all of them are there.
    private static let wait: Body = { gate in
        // A signal ends a wait, too.
        while let gate, sem_wait(gate.assumingMemoryBound(to: sem_t.self)) != 0 {}
        return nil
    }
}
