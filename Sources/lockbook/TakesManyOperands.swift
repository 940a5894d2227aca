import ArgumentParser

/// A command of which the last argument is repeated.
protocol TakesManyOperands: ParsableCommand {
    static var operands: WritableKeyPath<Self, [String]> { get }
}

extension Cat: TakesManyOperands {
    static var operands: WritableKeyPath<Cat, [String]> { \.output.targets }
}

extension Copy: TakesManyOperands {
    static var operands: WritableKeyPath<Copy, [String]> { \.paths }
}

extension Delete: TakesManyOperands {
    static var operands: WritableKeyPath<Delete, [String]> { \.targets }
}

extension Find: TakesManyOperands {
    static var operands: WritableKeyPath<Find, [String]> { \.pattern }
}

extension Import: TakesManyOperands {
    static var operands: WritableKeyPath<Import, [String]> { \.paths }
}

extension Jot: TakesManyOperands {
    static var operands: WritableKeyPath<Jot, [String]> { \.text }
}

extension List: TakesManyOperands {
    static var operands: WritableKeyPath<List, [String]> { \.targets }
}

extension Move: TakesManyOperands {
    static var operands: WritableKeyPath<Move, [String]> { \.paths }
}

extension New: TakesManyOperands {
    static var operands: WritableKeyPath<New, [String]> { \.paths }
}

extension Restore: TakesManyOperands {
    static var operands: WritableKeyPath<Restore, [String]> { \.restoring.targets }
}

extension Search: TakesManyOperands {
    static var operands: WritableKeyPath<Search, [String]> { \.targets }
}

extension StreamOut: TakesManyOperands {
    static var operands: WritableKeyPath<StreamOut, [String]> { \.output.targets }
}

extension TrashEmpty: TakesManyOperands {
    static var operands: WritableKeyPath<TrashEmpty, [String]> { \.targets }
}

extension TrashRestore: TakesManyOperands {
    static var operands: WritableKeyPath<TrashRestore, [String]> { \.restoring.targets }
}
