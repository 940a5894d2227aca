/// One field as the base tree, this device and the server have it.
package struct ThreeWay<Value: Equatable> {
    package let base: Value
    package let local: Value
    package let remote: Value

    package init(base: Value, local: Value, remote: Value) {
        self.base = base
        self.local = local
        self.remote = remote
    }

    /// The value both sides settle on: a change beats no change, and of two changes the server's,
    /// which came first, wins.
    package var merged: Value { remote == base ? local : remote }

    /// Whether a change made here gives way to another one.
    package var isDecidedAgainstLocal: Bool {
        local != base && remote != base && local != remote
    }
}

extension ThreeWay: Sendable where Value: Sendable {}
