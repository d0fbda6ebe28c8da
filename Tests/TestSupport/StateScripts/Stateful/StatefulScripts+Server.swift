/// Programs that keep something in the server's own objects, or register something during a call.
extension StatefulScripts {
    static let server = [
        ScriptCase(
            "an event source made in a procedure",
            #"""
            function open(name) {
                WL.Server.createEventSource({ name: name, onDeviceSubscribe: "subscribed" });
            }
            function subscribed(s) { WL.Logger.debug("subscribed"); }
            """#),
        ScriptCase(
            "an event source made by a helper during a call",
            #"""
            function make(options) { return WL.Server.createEventSource(options); }
            function open() { make({ name: "News", poll: { interval: 5, onPoll: "poll" } }); }
            function poll() { }
            """#),
        ScriptCase(
            "an event source made through another name",
            #"""
            var server = WL.Server;
            function open(name) { var s = server; s["createEventSource"]({ name: name }); }
            """#),
        ScriptCase(
            "event handlers set in a procedure",
            #"""
            function listen(type) {
                WL.Server.setEventHandlers([WL.Server.createEventHandler({ type: type }, handle)]);
            }
            function handle(event) { WL.Logger.info(event.type); }
            """#),
        ScriptCase(
            "a property of the server object",
            #"""
            function swap(v) { var before = WL.Server.last; WL.Server.last = v; return before; }
            """#),
        ScriptCase(
            "a property of the logger",
            #"""
            function swap(v) { var l = WL.Logger, before = l.last; l.last = v; return before; }
            """#),
        ScriptCase(
            "a new name below the server's own",
            #"""
            function swap(v) { var before = WL.Cache; WL.Cache = v; return before; }
            """#),
        ScriptCase(
            "a wrapped server function",
            #"""
            function trace() {
                var plain = WL.Server.invokeHttp;
                WL.Server.invokeHttp = function (o) { WL.Logger.debug(o.path); return plain(o); };
            }
            function list() { return WL.Server.invokeHttp({ method: "get", path: "/list" }); }
            """#),
        ScriptCase(
            "a poll that leaves news for the procedures",
            #"""
            var news = [];
            WL.Server.createEventSource({ name: "News", poll: { interval: 60, onPoll: "poll" } });
            function poll() { news = WL.Server.invokeHttp({ method: "get", path: "/news" }).items; }
            function latest() { return news; }
            """#),
        ScriptCase(
            "a poll that remembers the last id",
            #"""
            var lastID = 0;
            WL.Server.createEventSource({ name: "Mail", poll: { interval: 30, onPoll: "poll" } });
            function poll() {
                var rows = WL.Server.invokeHttp({ method: "get", path: "/mail?after=" + lastID }).rows;
                rows.forEach(function (r) { lastID = Math.max(lastID, r.id); });
            }
            """#),
        ScriptCase(
            "a poll given as a function",
            #"""
            var turns = { n: 0 };
            WL.Server.createEventSource({ name: "Tick", poll: { interval: 1, onPoll: function () { turns.n++; } } });
            function ticks() { return turns.n; }
            """#),
        ScriptCase(
            "a subscription kept for later",
            #"""
            var subscribers = {};
            WL.Server.createEventSource({ name: "Chat", onDeviceSubscribe: "joined", onDeviceUnsubscribe: "left" });
            function joined(userSubscription, deviceSubscription) { subscribers["u" + userSubscription.userId] = userSubscription; }
            function left(userSubscription, deviceSubscription) { delete subscribers["u" + userSubscription.userId]; }
            function tell(text) {
                for (var k in subscribers) { WL.Server.notifyAllDevices(subscribers[k], WL.Server.createDefaultNotification(text)); }
            }
            """#),
        ScriptCase(
            "a user change that is noted",
            #"""
            var current;
            WL.Server.createEventSource({ name: "Mail", onUserChange: "changed" });
            function changed(userSubscription) { current = userSubscription.userId; }
            function who() { return current; }
            """#),
        ScriptCase(
            "a notification made once and changed",
            #"""
            var notification = WL.Server.createDefaultNotification("none", 1, {});
            function tell(user, text) {
                var s = WL.Server.getUserNotificationSubscription("Push.Mail", user);
                notification.APNS.alert = text || notification.APNS.alert;
                WL.Server.notifyAllDevices(s, notification);
            }
            """#),
        ScriptCase(
            "invocation data filled in once",
            #"""
            var invocation = { adapter: "Orders", procedure: "list", parameters: [] };
            function orders(id) {
                invocation.parameters.push(id);
                return WL.Server.invokeProcedure(invocation);
            }
            """#),
        ScriptCase(
            "request options with a path that sticks",
            #"""
            var input = { method: "get", returnedContentType: "json", path: "/all" };
            function list(topic) {
                if (topic) { input.path = "/topic/" + encodeURIComponent(topic); }
                return WL.Server.invokeHttp(input);
            }
            """#),
        ScriptCase(
            "request parameters that pile up",
            #"""
            var input = { method: "get", path: "/find", parameters: {} };
            function find(q) {
                for (var k in q) { input.parameters[k] = q[k]; }
                return WL.Server.invokeHttp(input);
            }
            """#),
        ScriptCase(
            "a session number kept from the back end",
            #"""
            var backendSession = "";
            function login(user, password) {
                var r = WL.Server.invokeHttp({ method: "post", path: "/login", parameters: { u: user, p: password } });
                if (r.isSuccessful) { backendSession = r.responseHeaders["Set-Cookie"]; }
                return { isSuccessful: r.isSuccessful };
            }
            function account() {
                return WL.Server.invokeHttp({ method: "get", path: "/account", headers: { Cookie: backendSession } });
            }
            """#),
        ScriptCase(
            "an identity between two steps of a login",
            #"""
            var pending = null;
            function onAuthRequired(headers, message) { return { authRequired: true, errorMessage: message }; }
            function submitUser(name) { pending = { userId: name, displayName: name, attributes: {} }; return { step: 2 }; }
            function submitCode(code) {
                if (WL.Server.invokeHttp({ method: "get", path: "/code/" + code }).ok) { WL.Server.setActiveUser("R", pending); }
                return { authRequired: false };
            }
            """#),
        ScriptCase(
            "failed attempts that are counted",
            #"""
            var attempts = 0;
            function submitAuthentication(name, password) {
                if (password !== "x") { return { authRequired: true, errorMessage: "attempt " + (++attempts) }; }
                WL.Server.setActiveUser("R", { userId: name });
                return { authRequired: false };
            }
            """#),
        ScriptCase(
            "a procedure of the adapter that the poll calls by another name",
            #"""
            var total = 0, work = add;
            function add(n) { total += n || 1; return total; }
            WL.Server.createEventSource({ name: "Tick", poll: { interval: 1, onPoll: "work" } });
            """#),
    ]
}
