import Core

/// The requests of applications.
extension ClientDouble {
    /// `WL.Client.connect`, with the logins that the user types when asked.
    @discardableResult
    func connect(_ logins: Login...) async throws -> Reply {
        let reply = try await ask(Outgoing(kind: .action("init"), fields: dialect.initFields), logins)
        if reply.status == 200, let object = reply.object, object["userInfo"] != nil {
            try dialect.checkConnection(object)
            let update = object["gadgetProps"]?["directUpdate"]
            // As of 6.0 a client goes on when the response says nothing of updates.
            if let checksum = dialect.checksum, update != nil || dialect.wantsUpdates {
                try await UpdateCheck(checksum: checksum).check(update)
            }
        }
        return reply
    }

    /// Does the same as hybrid clients up to 6.1 when the app comes back to the foreground.
    ///
    /// - Throws: ``ClientDoubleError`` when the client shows the update dialog, or calls the app's callback again.
    @discardableResult
    func comeToForeground() async throws -> Reply {
        let requests = #"""
            {"appversionaccess":{"reqPath":"appversionaccess","parameters":{}},\#
            "updates":{"reqPath":"updates","parameters":{"skin":"default","skinLoaderChecksum":null}}}
            """#
        let reply = try await act("composite", Field("requests", requests))
        guard reply.status == 200 else {
            guard reply["errorCode"]?.string != nil, reply["errorMsg"]?.string != nil else {
                throw ClientDoubleError("an error without errorCode or errorMsg")
            }
            return reply
        }
        if dialect.wantsUpdates, reply["appversionaccess"]?["response"]?.object == nil {
            throw ClientDoubleError("TypeError: appversionaccess.response")
        }
        guard let update = reply["updates"]?["response"], update.object?.members.isEmpty == false else {
            throw ClientDoubleError(
                "the app's callback is called with null, and each request is sent twice from now on")
        }
        if let checksum = dialect.checksum { try await UpdateCheck(checksum: checksum).check(update) }
        return reply
    }

    /// `WL.Client.invokeProcedure`.
    func query(_ adapter: String, _ procedure: String, _ parameters: String = "[]", _ logins: Login...) async throws
        -> Reply
    {
        try await ask(
            Outgoing(
                kind: .action("query"),
                fields: dialect.queryFields(adapter: adapter, procedure: procedure, parameters: parameters)), logins)
    }

    /// Any action, with its own fields.
    @discardableResult
    func act(_ action: String, _ fields: Field..., logins: [Login] = []) async throws -> Reply {
        try await ask(Outgoing(kind: .action(action), fields: fields), logins)
    }

    @discardableResult
    func updateToken(_ token: String) async throws -> Reply {
        try await act("notifications", Field("updateToken", token))
    }

    @discardableResult
    func subscribe(
        _ adapter: String = "PushAdapter", _ eventSource: String = "PushEventSource", alias: String = "myPush",
        options: String = #"{"alert":true,"badge":false,"customParam":"x"}"#, _ logins: Login...
    ) async throws -> Reply {
        let fields = dialect.subscribeFields(
            adapter: adapter, eventSource: eventSource, alias: alias, options: options)
        return try await ask(Outgoing(kind: .action("notifications"), fields: fields), logins)
    }

    @discardableResult
    func unsubscribe(
        _ adapter: String = "PushAdapter", _ eventSource: String = "PushEventSource", alias: String = "myPush"
    ) async throws -> Reply {
        let fields = dialect.unsubscribeFields(adapter: adapter, eventSource: eventSource, alias: alias)
        return try await ask(Outgoing(kind: .action("notifications"), fields: fields), [])
    }

    @discardableResult
    func changeTag(_ tag: String, isWanted: Bool) async throws -> Reply {
        let fields = dialect.tagFields(tag, isWanted: isWanted)
        return try await ask(Outgoing(kind: .action("notifications"), fields: fields), [])
    }

    @discardableResult
    func logOut(_ realm: String?) async throws -> Reply {
        try await ask(Outgoing(kind: .action("logout"), fields: realm.map { [Field("realm", $0)] } ?? []), [])
    }

    /// A procedure at the context root, as adapters' challenge handlers call it.
    func invoke(
        _ adapter: String, _ procedure: String, _ parameters: String, handlesLogin: Bool = false
    ) async throws -> Reply {
        var fields = [Field("adapter", adapter), Field("procedure", procedure)]
        if dialect.form == .javaScript { fields.append(Field("compressResponse", nil)) }
        fields.append(Field("parameters", parameters))
        return try await ask(Outgoing(kind: .invoke, fields: fields), [], handlesLogin: handlesLogin)
    }

    /// Sends a request to a service whose body is not a form.
    func post(_ body: [UInt8], toService name: String) async throws -> Reply {
        try await ask(Outgoing(kind: .service(name), raw: body), [])
    }

    /// A request of the OAuth layer, or to a resource that it guards.
    func send(
        _ method: String = "GET", _ kind: RequestKind, _ fields: [Field] = [],
        headers: [(name: String, value: String)] = [], logins: [Login] = []
    ) async throws -> Reply {
        try await ask(Outgoing(kind: kind, method: method, fields: fields, headers: headers), logins)
    }
}
