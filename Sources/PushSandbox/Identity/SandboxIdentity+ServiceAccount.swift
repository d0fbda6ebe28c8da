import Core

extension SandboxIdentity {
    /// The file that Google offers for download, with the sandbox's own token endpoint.
    func serviceAccount(tokenPort: Int) -> String {
        let account: JSONValue = [
            "type": "service_account",
            "project_id": .string(Self.projectID),
            "private_key_id": .string(serviceAccountKeyID),
            "private_key": .string(serviceAccountKey),
            "client_email": .string(Self.serviceAccountEmail),
            "client_id": "100000000000000000000",
            "auth_uri": "https://accounts.google.com/o/oauth2/auth",
            "token_uri": .string("https://localhost:\(tokenPort)/token"),
            "universe_domain": "googleapis.com",
        ]
        return account.prettyText(indentation: 2, shortest: 0) + "\n"
    }
}
