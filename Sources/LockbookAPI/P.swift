enum LockbookAPIPlaceholder {}
import SwiftProtobuf
