extension WLClient {
    /// Connects to the server of the settings; the server checks the application's version (2.2.1). Call it before every other call that
    /// needs the server.
    public func wlConnect(with delegate: (any WLDelegate)!) {
        wlConnect(with: delegate, cookieExtractor: nil)
    }

    /// Connects to the server and shares cookies with the application's web views (2.2.2).
    ///
    /// - Parameter cookieExtractor: the storage of the shared cookies; `nil` to share none.
    public func wlConnect(with delegate: (any WLDelegate)!, cookieExtractor: WLCookieExtractor!) {
        let cookies: WLCookieExtractor? = cookieExtractor
        run(delegate) { try await $0.connect(sharing: cookies) }
    }

    /// Reports an activity of the user, for the server's log (2.2.11). It has no delegate; a failure is written to ``OCLogger``.
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

    /// Sends an activity to the server.
    ///
    /// - Throws: ``WLError``.
    func report(activity: String) async throws {
        let core = try core()
        try await core.requireConnection(for: "logActivity")
        _ = try await core.act("logactivity", [WireField("activity", activity)])
    }

    /// Adds a header to all further requests to the Worklight server (2.2.13). It replaces a header with the same name.
    public func addGlobalHeader(_ headerName: String!, headerValue value: String!) {
        guard let name = headerName, let value else { return }
        change { state in
            state.globalHeaders.removeAll { $0.name.lowercased() == name.lowercased() }
            state.globalHeaders.append(WireField(name, value))
        }
    }

    /// Removes a header of ``addGlobalHeader(_:headerValue:)`` (2.2.14).
    public func removeGlobalHeader(_ headerName: String!) {
        guard let name = headerName else { return }
        change { $0.globalHeaders.removeAll { $0.name.lowercased() == name.lowercased() } }
    }
}
