extension Unicode.Scalar {
    /// Whether it is of a script whose letters join, in which a joiner or a non-joiner is spelling.
    package var isOfJoiningScript: Bool {
        switch value {
        // From Arabic to Sinhala; Myanmar; Khmer and Mongolian.
        case 0x61d...0xdff, 0x1000...0x109f, 0x1780...0x17b3, 0x17b6...0x180a, 0x1810...0x18af: true
        default: false
        }
    }
}
