import PushModel

/// A call that is running: its caller, and what the scripts in it have done for its answer.
///
/// Lives in a virtual machine, with the family whose call it is.
struct RunningCall {
    /// Nothing to do with anybody: what polls get.
    var caller = Caller()
    /// Set by `WL.Server.addResponseHeader`.
    var responseHeaders: [ProcedureResult.Header] = []
    /// Who is logged in while the call has no session: they are forgotten when it ends.
    private var identities = IdentityTable()

    init(caller: Caller = Caller()) {
        self.caller = caller
    }

    /// The identities of the session, or of the call alone when there is no session.
    func identity(in realm: String) -> JSONValue? {
        caller.session?.identity(in: realm) ?? identities[realm]
    }

    /// Logs somebody in or, with `nil`, out.
    ///
    /// - Throws: ``IdentityChangeError``.
    mutating func setIdentity(_ identity: JSONValue?, in realm: String) throws(IdentityChangeError) {
        if let session = caller.session {
            try session.setIdentity(identity, in: realm)
        } else {
            try identities.set(identity, in: realm)
        }
    }

    /// The realms in which somebody is logged in, in the order in which they logged in.
    var realms: [String] { caller.session?.realms ?? identities.realms }
}
