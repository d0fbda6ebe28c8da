extension Project {
    /// The realms in use whose form, or HTTP Basic, accepts every password: those with `NonValidatingLoginModule`.
    public var unverifiedLogins: [ProjectError] {
        let active = authentication.activeRealms(of: self)
        return authentication.realms.compactMap { realm in
            guard active.contains(realm.name),
                ["FormBasedAuthenticator", "BasicAuthenticator"].contains(realm.shortClassName),
                let module = realm.loginModule.flatMap(authentication.loginModule(named:)),
                module.shortClassName == "NonValidatingLoginModule"
            else { return nil }
            return ProjectError(
                .warning, file: AuthenticationConfiguration.path, line: realm.line,
                "the realm '\(realm.name)' accepts every user name with every password, because its login module '\(module.name)' is "
                    + "NonValidatingLoginModule; use one that checks passwords",
                id: "unverified-login")
        }
    }
}
