/// Programs that freeze something at load that another time, user or back end would give otherwise.
extension StatefulScripts {
    static let load = [
        ScriptCase(
            "the time of the load",
            #"""
            var started = new Date();
            function since() { return started.getTime(); }
            """#),
        ScriptCase(
            "the time without parentheses",
            #"""
            var started = new Date;
            function since() { return String(started); }
            """#),
        ScriptCase(
            "the time as a text",
            #"""
            var started = Date();
            function since() { return started; }
            """#),
        ScriptCase(
            "the time as a number",
            #"""
            var started = Date.now();
            function since() { return started; }
            """#),
        ScriptCase(
            "the time by a local name",
            #"""
            var D = Date, started = new D().getTime();
            function since() { return started; }
            """#),
        ScriptCase(
            "the time by a function taken off Date",
            #"""
            var now = Date.now, started = now();
            function since() { return started; }
            """#),
        ScriptCase(
            "the time by a computed name",
            #"""
            var started = Date["n" + "ow"]();
            function since() { return started; }
            """#),
        ScriptCase(
            "the time by a helper",
            #"""
            function stamp() { return new Date().toISOString(); }
            var header = { stamp: stamp() };
            function request() { return header; }
            """#),
        ScriptCase(
            "the time by a function called at once",
            #"""
            var today = (function () { var d = new Date(); return d.getFullYear() + "-" + (d.getMonth() + 1); })();
            function month() { return today; }
            """#),
        ScriptCase(
            "the time by a constructor of its own",
            #"""
            function Clock() { this.at = new Date().getTime(); }
            var clock = new Clock();
            function at() { return clock.at; }
            """#),
        ScriptCase(
            "the time in a template",
            #"""
            const banner = `started at ${new Date()}`;
            function hello() { return banner; }
            """#),
        ScriptCase(
            "the time in a default parameter at load",
            #"""
            const at = (function (t = Date.now()) { return t; })();
            function since() { return at; }
            """#),
        ScriptCase(
            "the time in a callback at load",
            #"""
            var parts = ["a", "b"].map(function (p) { return p + new Date().getTime(); });
            function names() { return parts; }
            """#),
        ScriptCase(
            "the time in a replacement at load",
            #"""
            var path = "/day/{d}".replace("{d}", function () { return new Date().getDate(); });
            function list() { return WL.Server.invokeHttp({ method: "get", path: path }); }
            """#),
        ScriptCase(
            "the time by Reflect",
            #"""
            const started = Reflect.construct(Date, []);
            function since() { return started.getTime(); }
            """#),
        ScriptCase(
            "the time by a class that extends Date",
            #"""
            class Day extends Date { }
            const today = new Day();
            function day() { return today.getDate(); }
            """#),
        ScriptCase(
            "the time in a static field",
            #"""
            class Clock { static started = Date.now(); }
            function since() { return Clock.started; }
            """#),
        ScriptCase(
            "the time by a getter at load",
            #"""
            const source = { get now() { return Date.now(); } };
            const { now } = source;
            function since() { return now; }
            """#),
        ScriptCase(
            "the time by a conversion at load",
            #"""
            var source = { toString: function () { return String(new Date()); } };
            var text = "at " + source;
            function since() { return text; }
            """#),
        ScriptCase(
            "the Java time",
            #"""
            var started = java.lang.System.currentTimeMillis();
            function since() { return started; }
            """#),
        ScriptCase(
            "the weekday as a branch",
            #"""
            var rate = 1;
            if (new Date().getDay() === 0) { rate = 2; }
            function price(x) { return x * rate; }
            """#),
        ScriptCase(
            "a function chosen by the hour",
            #"""
            var greet = new Date().getHours() < 12 ? function () { return "morning"; } : function () { return "evening"; };
            function hello() { return greet(); }
            """#),
        ScriptCase(
            "a year in a table of constants",
            #"""
            var CONFIG = { host: "example.com", year: new Date().getFullYear() };
            function footer() { return "(c) " + CONFIG.year; }
            """#),
        ScriptCase(
            "the local time zone's offset",
            #"""
            var offset = new Date().getTimezoneOffset();
            function local(ms) { return ms - offset * 60000; }
            """#),
        ScriptCase(
            "a random number",
            #"""
            var secret = Math.random();
            function key() { return secret; }
            """#),
        ScriptCase(
            "a random number by a local name",
            #"""
            var r = Math.random, secret = Math.floor(r() * 1000);
            function key() { return secret; }
            """#),
        ScriptCase(
            "a random number taken apart",
            #"""
            const { random } = Math;
            const nonce = Array.from({ length: 4 }, random).join("");
            function key() { return nonce; }
            """#),
        ScriptCase(
            "a random order",
            #"""
            var order = [1, 2, 3].sort(function () { return Math.random() - 0.5; });
            function list() { return order; }
            """#),
        ScriptCase(
            "a random identifier by a helper",
            #"""
            function uuid() { return "xxxx".replace(/x/g, function () { return Math.floor(Math.random() * 16).toString(16); }); }
            var instance = uuid();
            function id() { return instance; }
            """#),
        ScriptCase(
            "the user of the load",
            #"""
            var user = WL.Server.getActiveUser();
            function whoAmI() { return user; }
            """#),
        ScriptCase(
            "the user by a helper",
            #"""
            function userID() { var u = WL.Server.getActiveUser("R"); return u ? u.userId : null; }
            var id = userID();
            function whoAmI() { return id; }
            """#),
        ScriptCase(
            "the user by a local name of the server",
            #"""
            var server = WL.Server, user = server["getActiveUser"]();
            function whoAmI() { return user; }
            """#),
        ScriptCase(
            "the user in a path made at load",
            #"""
            var paths = { mine: "/user/" + (WL.Server.getActiveUser() || {}).userId };
            function mine() { return WL.Server.invokeHttp({ method: "get", path: paths.mine }); }
            """#),
        ScriptCase(
            "the request of the load",
            #"""
            var request = WL.Server.getClientRequest();
            function agent() { return request.getHeader("User-Agent"); }
            """#),
        ScriptCase(
            "a back-end answer of the load",
            #"""
            var rates = WL.Server.invokeHttp({ method: "get", path: "/rates" });
            function convert(x) { return x * rates.usd; }
            """#),
        ScriptCase(
            "rows of the load",
            #"""
            var statement = WL.Server.createSQLStatement("select id, name from office");
            var offices = WL.Server.invokeSQLStatement({ preparedStatement: statement, parameters: [] }).resultSet;
            function list() { return { offices: offices }; }
            """#),
        ScriptCase(
            "a stored procedure's answer of the load",
            #"""
            var limits = WL.Server.invokeSQLStoredProcedure({ procedure: "limits", parameters: [] });
            function max() { return limits; }
            """#),
        ScriptCase(
            "another adapter's answer of the load",
            #"""
            var config = WL.Server.invokeProcedure({ adapter: "Config", procedure: "all", parameters: [] });
            function get() { return config; }
            """#),
        ScriptCase(
            "a subscription of the load",
            #"""
            var boss = WL.Server.getUserNotificationSubscription("Push.Mail", "boss");
            function tell(t) { WL.Server.notifyAllDevices(boss, WL.Server.createDefaultNotification(t)); }
            """#),
        ScriptCase(
            "an active user set at load",
            #"""
            WL.Server.setActiveUser("R", { userId: "guest", displayName: "Guest" });
            function whoAmI() { return WL.Server.getActiveUser("R"); }
            """#),
        ScriptCase(
            "a back-end call in a trial at load",
            #"""
            var online;
            try { online = WL.Server.invokeHttp({ method: "get", path: "/up" }).isSuccessful; } catch (e) { online = false; }
            function isOnline() { return online; }
            """#),
        ScriptCase(
            "a back-end call by a callback at load",
            #"""
            var lists = {};
            ["a", "b"].forEach(function (n) { lists[n] = WL.Server.invokeHttp({ method: "get", path: "/" + n }); });
            function get(n) { return lists.hasOwnProperty(n) ? lists[n] : null; }
            """#),
    ]
}
