extension WLClient {
    /// Connects with what `worklight.plist` says; the server checks the application's version (2.2.1). It comes before
    /// every other call that needs the server.
    public func wlConnect(with delegate: (any WLDelegate)!) {
        wlConnect(with: delegate, cookieExtractor: nil)
    }

    /// Connects, sharing the cookies of the application's web views (2.2.2).
    ///
    /// - Parameter cookieExtractor: `nil` for the client's own cookies only.
    public func wlConnect(with delegate: (any WLDelegate)!, cookieExtractor: WLCookieExtractor!) {
        let cookies: WLCookieExtractor? = cookieExtractor
        run(delegate) { try await $0.connect(sharing: cookies) }
    }

    /// Reports what the user does, for the server's log (2.2.11). It has no delegate; what goes wrong is written to
    /// ``OCLogger``.
    public func logActivity(_ activityType: String!) {
        let activity = activityType ?? ""
        Task {
            do {
                try await report(activity: activity)
            } catch {
                LogStore.shared.write(.warn, package: "wl.logActivity", message: "\(error)", metadata: nil)
            }
        }
    }

    /// - Throws: ``WLError``.
    func report(activity: String) async throws {
        let core = try core()
        try await core.requireConnection(for: "logActivity")
        _ = try await core.act("logactivity", [WireField("activity", activity)])
    }

    /// Adds a header to every request to the Worklight server from now on (2.2.13). One of the same name is replaced.
    public func addGlobalHeader(_ headerName: String!, headerValue value: String!) {
        guard let name = headerName, let value else { return }
        change { state in
            state.globalHeaders.removeAll { $0.name.lowercased() == name.lowercased() }
            state.globalHeaders.append(WireField(name, value))
        }
    }

    /// Removes such a header again (2.2.14).
    public func removeGlobalHeader(_ headerName: String!) {
        guard let name = headerName else { return }
        change { $0.globalHeaders.removeAll { $0.name.lowercased() == name.lowercased() } }
    }
}
