enum LockbookServerPlaceholder {}
import Hummingbird
import HummingbirdTLS
