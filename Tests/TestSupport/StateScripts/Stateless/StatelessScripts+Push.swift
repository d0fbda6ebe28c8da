/// Push and authentication adapters that keep nothing.
extension StatelessScripts {
    static let push = [
        ScriptCase(
            "an event source with a poll",
            #"""
            WL.Server.createEventSource({
                name: "News", onDeviceSubscribe: "joined", onDeviceUnsubscribe: "left", poll: { interval: 60, onPoll: "poll" }
            });
            function joined(userSubscription, deviceSubscription) { WL.Logger.debug("joined " + userSubscription.userId); }
            function left(userSubscription, deviceSubscription) { WL.Logger.debug("left"); }
            function poll() {
                var answer = WL.Server.invokeHttp({ method: "get", path: "/news" });
                for (var i = 0; i < answer.users.length; i++) { tell(answer.users[i].id, answer.users[i].text); }
            }
            function tell(user, text) {
                var subscription = WL.Server.getUserNotificationSubscription("Push.News", user);
                if (subscription === null) { return { result: "no subscription of " + user }; }
                WL.Server.notifyAllDevices(subscription, WL.Server.createDefaultNotification(text, 1, {}));
                return { result: "told " + user };
            }
            """#),
        ScriptCase(
            "a notification with a badge",
            #"""
            WL.Server.createEventSource({ name: "Mail" });
            function send(user, text) {
                var s = WL.Server.getUserNotificationSubscription("Push.Mail", user);
                if (!s) { return { sent: false }; }
                var state = s.userState || {};
                var notification = WL.Server.createDefaultNotification(text, (state.unread || 0) + 1, { kind: "mail" });
                WL.Server.notifyAllDevices(s, notification);
                return { sent: true };
            }
            """#),
        ScriptCase(
            "a notification whose payload is changed before it leaves",
            #"""
            function send(user, text, link) {
                var s = WL.Server.getUserNotificationSubscription("Push.Mail", user);
                var n = WL.Server.createDefaultNotification(text, 1, {});
                n.payload = { link: link };
                WL.Server.notifyAllDevices(s, n);
            }
            """#),
        ScriptCase(
            "event handlers set at load",
            #"""
            function store(event) { WL.Server.invokeHttp({ method: "post", path: "/events", parameters: { id: event.id } }); }
            function warn(event) { WL.Logger.warn("low battery of " + event.device); }
            WL.Server.setEventHandlers([
                WL.Server.createEventHandler({ type: "place" }, store),
                WL.Server.createEventHandler({ type: "battery" }, warn)
            ]);
            """#),
        ScriptCase(
            "an event source with a user change",
            #"""
            WL.Server.createEventSource({ name: "Mail", onUserChange: "changed" });
            function changed(userSubscription) { WL.Logger.info("user is now " + userSubscription.userId); }
            """#),
        ScriptCase(
            "a login by name and password",
            #"""
            function onAuthRequired(headers, errorMessage) {
                errorMessage = errorMessage ? errorMessage : null;
                return { authRequired: true, errorMessage: errorMessage };
            }
            function submitAuthentication(username, password) {
                var answer = WL.Server.invokeHttp({ method: "post", path: "/login", parameters: { u: username, p: password } });
                if (!answer.isSuccessful || !answer.valid) { return onAuthRequired(null, "Wrong name or password"); }
                var identity = { userId: username, displayName: answer.name, attributes: { city: answer.city } };
                WL.Server.setActiveUser("Realm", identity);
                return { authRequired: false };
            }
            function onLogout() {
                WL.Server.setActiveUser("Realm", null);
                WL.Logger.debug("logged out");
            }
            """#),
        ScriptCase(
            "a login whose identity is left undeclared",
            #"""
            function submitAuthentication(username, password) {
                if (username === password) {
                    userIdentity = { userId: username, displayName: username, attributes: {} };
                    WL.Server.setActiveUser("Realm", userIdentity);
                    return { authRequired: false };
                }
                return { authRequired: true, errorMessage: "no" };
            }
            """#),
        ScriptCase(
            "a login in two steps by the session",
            #"""
            function firstStep(name) {
                WL.Server.setActiveUser("First", { userId: name, displayName: name, attributes: {} });
                return { authRequired: true, step: 2 };
            }
            function secondStep(code) {
                var first = WL.Server.getActiveUser("First");
                if (first && code.length === 6) { WL.Server.setActiveUser("Second", first); return { authRequired: false }; }
                return { authRequired: true, step: 2 };
            }
            """#),
        ScriptCase(
            "a secret only for a user",
            #"""
            function getSecret() {
                var user = WL.Server.getActiveUser();
                return user === null ? { secret: null } : { secret: "for " + user.userId };
            }
            """#),
        ScriptCase(
            "a poll given as a function over local names",
            #"""
            WL.Server.createEventSource({
                name: "Tick",
                poll: { interval: 5, onPoll: function () { var now = new Date(); WL.Logger.debug("tick " + now.getTime()); } }
            });
            function nothing() { return {}; }
            """#),
    ]
}
