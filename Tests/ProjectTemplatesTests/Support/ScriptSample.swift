import Testing

/// A script that TypeScript reports or accepts.
struct ScriptSample: Sendable, CustomTestStringConvertible {
    /// The special feature of the script.
    let title: String
    /// A mistake's line ends with `// wrong`.
    let script: String

    var testDescription: String { title }

    init(_ title: String, _ script: String) {
        self.title = title
        self.script = script
    }

    static let all = mistakes + accepted

    static let mistakes = [
        ScriptSample(
            "a misspelt option of invokeHttp",
            """
            WL.Server.invokeHttp({
                method: "get", path: "/messages",
                paramters: { q: "lamp" } // wrong
            });
            """),
        ScriptSample(
            "a misspelt option in a variable",
            """
            function find(text) {
                var input = { method: "get", path: "/messages", paramters: { q: text } };
                return WL.Server.invokeHttp(input); // wrong
            }
            """),
        ScriptSample(
            "a content type that is not known",
            """
            WL.Server.invokeHttp({
                method: "get", path: "/messages",
                returnedContentType: "jsn" // wrong
            });
            """),
        ScriptSample(
            "a method that is not known",
            """
            WL.Server.invokeHttp({
                method: "fetch", // wrong
                path: "/messages"
            });
            """),
        ScriptSample("a request without a path", #"WL.Server.invokeHttp({ method: "get" }); // wrong"#),
        ScriptSample("a request without a method", #"WL.Server.invokeHttp({ path: "/messages" }); // wrong"#),
        ScriptSample("a request without options", "WL.Server.invokeHttp(); // wrong"),
        ScriptSample("options as several arguments", #"WL.Server.invokeHttp("get", "/messages"); // wrong"#),
        ScriptSample(
            "parameters as a text",
            #"WL.Server.invokeHttp({ method: "get", path: "/messages", parameters: "q=lamp" }); // wrong"#),
        ScriptSample(
            "a misspelt member of a body",
            """
            WL.Server.invokeHttp({
                method: "post", path: "/messages",
                body: { contenttype: "text/plain", content: "x" } // wrong
            });
            """),
        ScriptSample(
            "a misspelt member of a body in a variable",
            """
            var input = { method: "post", path: "/messages", body: { contenttype: "text/plain", content: "x" } };
            WL.Server.invokeHttp(input); // wrong
            """),
        ScriptSample(
            "a transformation that is not known",
            """
            WL.Server.invokeHttp({
                method: "get", path: "/messages",
                transformation: { type: "xsl", xslFile: "messages.xsl" } // wrong
            });
            """),
        ScriptSample(
            "a misspelt callback",
            """
            WL.Server.createEventSource({
                name: "News",
                onDeviceSubscibe: "subscribed" // wrong
            });
            """),
        ScriptSample(
            "a callback in the wrong letter case",
            """
            WL.Server.createEventSource({
                name: "News",
                poll: { interval: 60, onpoll: "poll" } // wrong
            });
            """),
        ScriptSample(
            "an interval that is a text",
            """
            WL.Server.createEventSource({
                name: "News",
                poll: { interval: "3", onPoll: "poll" } // wrong
            });
            """),
        ScriptSample(
            "a callback that is a number",
            #"WL.Server.createEventSource({ name: "News", poll: { interval: 3, onPoll: 5 } }); // wrong"#),
        ScriptSample(
            "an event source without a name",
            #"WL.Server.createEventSource({ onUserSubscribe: "welcome" }); // wrong"#),
        ScriptSample(
            "a subscription that is not tested for null",
            """
            var subscription = WL.Server.getUserNotificationSubscription("A.News", "ann");
            WL.Server.notifyAllDevices(
                subscription, // wrong
                { APNS: { alert: "x" } }
            );
            """),
        ScriptSample(
            "the state of a subscription that is not tested for null",
            #"WL.Server.getUserNotificationSubscription("A.News", "ann").state.seen = true; // wrong"#),
        ScriptSample(
            "a misspelt member of a device subscription",
            """
            var subscription = WL.Server.getUserNotificationSubscription("A.News", "ann");
            if (subscription !== null) {
                WL.Logger.info(subscription.getDeviceSubscriptions()[0].plattform); // wrong
            }
            """),
        ScriptSample(
            "a misspelt member of a block",
            """
            /** @param {WL.UserSubscription} subscription */
            function tell(subscription) {
                WL.Server.notifyAllDevices(subscription, { APNS: { bagde: 1 } }); // wrong
            }
            """),
        ScriptSample(
            "a misspelt member of a default notification",
            """
            var notification = WL.Server.createDefaultNotification("x", 1, {});
            notification.GCM.timeToLife = 60; // wrong
            """),
        ScriptSample("a message without a message", #"WL.Server.sendMessage("Shop", { target: {} }); // wrong"#),
        ScriptSample(
            "a misspelt target in a variable",
            """
            var options = { message: { alert: "x" }, target: { tagName: ["offers"] } };
            WL.Server.sendMessage("Shop", options); // wrong
            """),
        ScriptSample("a function that WL.Logger does not have", #"WL.Logger.warning("x"); // wrong"#),
        ScriptSample(
            "a misspelt function of WL.Server",
            #"WL.Server.invokeProcedur({ adapter: "A", procedure: "b" }); // wrong"#),
        ScriptSample(
            "a misspelt option of invokeProcedure",
            #"WL.Server.invokeProcedure({ adapter: "A", procedure: "b", parameter: [1] }); // wrong"#),
        ScriptSample("a statement that is missing", "WL.Server.invokeSQLStatement({ parameters: [1] }); // wrong"),
        ScriptSample(
            "a statement under another name",
            """
            var select = WL.Server.createSQLStatement("select 1");
            WL.Server.invokeSQLStatement({ statement: select }); // wrong
            """),
        ScriptSample(
            "a stylesheet for rows",
            """
            WL.Server.invokeSQLStoredProcedure({
                procedure: "p",
                transformation: { type: "xslFile" } // wrong
            });
            """),
    ]

    static let accepted = [
        ScriptSample(
            "options in a variable",
            """
            function find(path) {
                var input = { method: 'get', returnedContentType: 'json', path: path };
                return WL.Server.invokeHttp(input);
            }
            """),
        ScriptSample(
            "options that are added later",
            """
            function find(path, token) {
                var input = { method: 'POST', returnedContentType: 'application/JSON', path: path, parameters: {} };
                input.headers = { Authorization: token };
                input.parameters["q"] = 1;
                return WL.Server.invokeHttp(input);
            }
            """),
        ScriptSample(
            "options that are all added later",
            """
            function find(path) {
                var input = {};
                input.method = "get";
                input.path = path;
                return WL.Server.invokeHttp(input);
            }
            """),
        ScriptSample(
            "options from elsewhere",
            """
            function send(input, method, type) {
                WL.Server.invokeHttp({ method: method, path: "/x", returnedContentType: type });
                return WL.Server.invokeHttp(input);
            }
            /** @param {WL.InvokeHttpOptions} input */
            function get(input) {
                return WL.Server.invokeHttp(input);
            }
            """),
        ScriptSample(
            "values in any letter case, media types and null",
            """
            WL.Server.invokeHttp({ method: "Get", path: "/x", returnedContentType: "text/XML; charset=utf-8" });
            WL.Server.invokeHttp({ method: "PATCH", path: "/x", returnedContentType: "image/png", parameters: null });
            WL.Server.invokeHttp({ method: "head", path: "/x", returnedContentType: null, body: undefined });
            """),
        ScriptSample(
            "a body that is only a content",
            """
            WL.Server.invokeHttp({ method: "post", path: "/x", body: { content: "x" } });
            WL.Server.invokeHttp({ method: "post", path: "/x", body: { contentType: "text/json", content: { a: 1 } } });
            """),
        ScriptSample(
            "Java and what Rhino had",
            """
            importPackage(java.util);
            importPackage(Packages.com.acme);
            importClass(java.util.Properties, org.acme.Thing);
            var names = new JavaImporter(java.util);
            java.lang.System.out.println(uneval(names));
            """),
        ScriptSample(
            "callbacks as names, as functions, and null",
            """
            WL.Server.createEventSource({
                name: "News",
                onDeviceSubscribe: "subscribed",
                onDeviceUnsubscribe: unsubscribed,
                onUserChange: function (change) { return { isSuccessful: change.platform !== "Apple", hint: "x" }; },
                poll: { interval: 3 * 60, onPoll: function () { WL.Logger.info("poll"); } },
                securityTest: null
            });
            function subscribed(user, device) { WL.Logger.info(device.device + user.userId); }
            function unsubscribed(user, device) { WL.Logger.info(device.device.length); }
            """),
        ScriptSample(
            "a subscription that is tested for null",
            """
            function tell(user, text) {
                var subscription = WL.Server.getUserNotificationSubscription("A.News", user);
                if (subscription == null) { return { result: "none" }; }
                var notification = WL.Server.createDefaultNotification(text, 1, { custom: "data" });
                notification.MPNS.toast = {};
                notification.MPNS.toast.text1 = "title";
                notification.GCM.sound = "chime.mp3";
                notification.GCM.badge = 1;
                notification.APNS.alert = { "loc-key": "x" };
                WL.Server.notifyAllDevices(subscription, notification);
                WL.Server.notifyAllDevices(subscription, { badge: 1, alert: text, activateButtonLabel: "Open" });
                var devices = subscription.getDeviceSubscriptions();
                for (var i = 0; i < devices.length; i++) {
                    WL.Server.notifyDevice(subscription, devices[i].device, { SMS: { text: text } });
                }
                return { result: "sent" };
            }
            """),
        ScriptSample(
            "a message that is made step by step",
            """
            function send(text, tags) {
                var options = {};
                options.message = {};
                options.message.alert = text;
                options.target = {};
                options.target.tagNames = tags.split(",");
                WL.Server.sendMessage("Shop", options);
                var settings = { apns: { badge: 1, iosActionKey: "Open" }, gcm: { timeToLive: 5 } };
                var target = { platforms: ["A"] };
                WL.Server.sendMessage("Shop", { message: { alert: text }, target: target, settings: settings });
            }
            """),
        ScriptSample(
            "results and caught errors",
            """
            function list(path) {
                try {
                    var response = WL.Server.invokeHttp({ method: "get", path: path });
                    response.extra = response.rss.channel.item.length + response.array.length;
                    var cookie = response.responseHeaders["Set-Cookie"].split(";")[0];
                    return response.statusCode >= 400 ? { cookie: cookie } : response;
                } catch (e) {
                    return { isSuccessful: false, errors: [e.message] };
                }
            }
            """),
        ScriptSample(
            "statements and their parameters",
            """
            var select = WL.Server.createSQLStatement("select 1 where a = ?");
            function find(value) {
                var input = { preparedStatement: select, parameters: [value, 5, null, new Date()] };
                WL.Server.invokeSQLStatement({ preparedStatement: "select ?", parameters: value });
                WL.Server.invokeSQLStoredProcedure({ procedure: "p", parameters: [] });
                return WL.Server.invokeSQLStatement(input).resultSet[0];
            }
            """),
        ScriptSample(
            "a procedure's invocation data",
            """
            function call(value) {
                var invocationData = { adapter: "A", procedure: "b", parameters: [value], compressResponse: true };
                return WL.Server.invokeProcedure(invocationData, { timeout: 5 }).resultSet.length;
            }
            """),
        ScriptSample(
            "the request of a procedure",
            """
            function agent() {
                var user = WL.Server.getActiveUser();
                return WL.Server.getClientRequest().getHeader("User-Agent") + (user ? user.attributes.branch : "");
            }
            """),
        ScriptSample(
            "an old class",
            """
            function Account(name) { this.name = name; }
            Account.prototype.title = function () { return this.name; };
            function make() { return new Account("x").title(); }
            """),
    ]
}
