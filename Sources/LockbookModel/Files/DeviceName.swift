/// How a device calls itself.
///
/// Whoever signs a record puts any text there; people read it in conflict markers, on terminals and
/// in editors.
package enum DeviceName {
    /// A longer one is cut.
    package static let maximumByteCount = 64

    /// The name as it may be shown and stored: what is invisible, moves the cursor or turns text
    /// around stands there as `\u202e`, and it is at most 64 bytes of UTF-8.
    package static func plain(_ name: String) -> String {
        var shown = ""
        for scalar in name.unicodeScalars {
            let piece = PlainText.shown(scalar)
            guard shown.utf8.count + piece.utf8.count <= maximumByteCount else { break }
            shown += piece
        }
        return shown
    }
}
