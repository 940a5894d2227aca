/// Which version of Lockbook this is, client and server alike.
package enum Version {
    package static let current = "0.1.0"
}
