// Goes into the mutated copy of a module: every mutant is in the code, and at most one is awake.

/// The number of the mutant that is awake; 0 is none.
package nonisolated(unsafe) var awakeMutant = 0
/// A byte for each mutant, set when its place in the code is reached; nil when nobody asks.
package nonisolated(unsafe) var reachedMutants: UnsafeMutablePointer<UInt8>?

@inline(__always) func isMutant(_ number: Int) -> Bool {
    if let reachedMutants { reachedMutants[number] = 1 }
    return awakeMutant == number
}

/// What stands for an operator, a condition or a constant: `number` and those after it are its mutants.
enum Mutant {
    @inline(__always) static func negated(_ number: Int, _ value: Bool) -> Bool {
        isMutant(number) ? !value : value
    }

    @inline(__always) static func assumed(_ number: Int, _ value: Bool) -> Bool {
        isMutant(number) ? true : value
    }

    @inline(__always) static func not(_ number: Int, _ value: Bool) -> Bool {
        isMutant(number) ? value : !value
    }

    @inline(__always) static func and(
        _ number: Int,
        _ left: Bool,
        _ right: @autoclosure () throws -> Bool
    ) rethrows -> Bool {
        if isMutant(number) { return try left || right() }
        if isMutant(number + 1) { return left }
        if isMutant(number + 2) { return try right() }
        return try left && right()
    }

    @inline(__always) static func or(
        _ number: Int,
        _ left: Bool,
        _ right: @autoclosure () throws -> Bool
    ) rethrows -> Bool {
        if isMutant(number) { return try left && right() }
        if isMutant(number + 1) { return left }
        if isMutant(number + 2) { return try right() }
        return try left || right()
    }

    @inline(__always) static func less<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> Bool
    {
        isMutant(number) ? left <= right : isMutant(number + 1) ? left >= right : left < right
    }

    @inline(__always) static func lessOrEqual<T: Comparable>(
        _ number: Int,
        _ left: T,
        _ right: T
    ) -> Bool {
        isMutant(number) ? left < right : isMutant(number + 1) ? left > right : left <= right
    }

    @inline(__always) static func greater<T: Comparable>(
        _ number: Int,
        _ left: T,
        _ right: T
    ) -> Bool {
        isMutant(number) ? left >= right : isMutant(number + 1) ? left <= right : left > right
    }

    @inline(__always) static func greaterOrEqual<T: Comparable>(
        _ number: Int,
        _ left: T,
        _ right: T
    ) -> Bool {
        isMutant(number) ? left > right : isMutant(number + 1) ? left < right : left >= right
    }

    @inline(__always) static func equal<T: Equatable>(_ number: Int, _ left: T, _ right: T) -> Bool
    {
        isMutant(number) ? left != right : left == right
    }

    @inline(__always) static func unequal<T: Equatable>(
        _ number: Int,
        _ left: T,
        _ right: T
    ) -> Bool {
        isMutant(number) ? left == right : left != right
    }

    @inline(__always) static func plus<T: AdditiveArithmetic>(
        _ number: Int,
        _ left: T,
        _ right: T
    ) -> T {
        isMutant(number) ? left - right : left + right
    }

    @inline(__always) static func minus<T: AdditiveArithmetic>(
        _ number: Int,
        _ left: T,
        _ right: T
    ) -> T {
        isMutant(number) ? left + right : left - right
    }

    @inline(__always) static func times<T: BinaryInteger>(
        _ number: Int,
        _ left: T,
        _ right: T
    ) -> T {
        isMutant(number) ? left / right : left * right
    }

    @inline(__always) static func over<T: BinaryInteger>(
        _ number: Int,
        _ left: T,
        _ right: T
    ) -> T {
        isMutant(number) ? left * right : left / right
    }

    @inline(__always) static func int(_ number: Int, _ value: Int) -> Int {
        constant(number, value)
    }

    @inline(__always) static func byte(_ number: Int, _ value: UInt8) -> UInt8 {
        constant(number, value)
    }

    @inline(__always) static func constant<T: BinaryInteger>(_ number: Int, _ value: T) -> T {
        isMutant(number) ? value + 1 : isMutant(number + 1) ? value - 1 : value
    }
}
