extension Collection {
    /// The one that is meant, of what fits.
    /// - Parameters:
    ///   - none: what is thrown where nothing does.
    ///   - several: what is thrown where more than one does.
    func theOne(
        orNone none: @autoclosure () throws -> LockbookError,
        orSeveral several: @autoclosure () throws -> LockbookError
    ) throws -> Element {
        guard let first else { throw try none() }
        guard count == 1 else { throw try several() }
        return first
    }
}
