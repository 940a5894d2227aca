import LockbookCrypto
import LockbookModel

extension Sync {
    /// Tells the store of what another account shares whom this device met, of those in it or by their names.
    ///
    /// So nobody is called there by the name of one of them but he himself. What a grant calls somebody is the word of who made it, and of a server that lets it through.
    func nameMet(in other: LocalStore) throws {
        let called = try other.read { try $0.unmetMembers() }
        guard !called.isEmpty else { return }
        let met = try store.read { tree in
            try called.flatMap { account, name in
                try [tree.contact(account), tree.contact(named: name.text)].compactMap(\.self)
            }
        }
        guard !met.isEmpty else { return }
        try other.write { tree in
            for certificate in met {
                guard try tree.contact(certificate.account) == nil,
                    try tree.contact(named: certificate.username.text) == nil
                else { continue }
                try tree.pin(certificate)
            }
        }
    }
}

extension LocalTree {
    /// Who is in shares of this tree, of whom, and of whose name, grants alone tell.
    fileprivate func unmetMembers() throws -> [(AccountID, Username)] {
        try GranteeNames(allGrants()).all.filter { account, name in
            try account != author && contact(account) == nil && contact(named: name.text) == nil
        }
    }
}
