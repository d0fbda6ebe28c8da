extension Scripts {
    /// Whole adapters, as their authors wrote them.
    static let adapters: [String] = [
        """
        WL.Server.createEventSource({
            name: "PushEventSource", poll: { interval: 3, onPoll: getNotifications }, securityTest: "Push-test",
            onDeviceSubscribe: "subscribed", onDeviceUnsubscribe: "unsubscribed"
        });
        // The back end hands out each message once.
        function getNotifications() {
            var response = WL.Server.invokeHttp({ method: "get", path: "/messages", returnedContentType: "json" });
            if (!response.isSuccessful || response.statusCode !== 200) { return; }
            response.messages.forEach(function (message) { send(message.userId, message.text, message.badge || 1); });
        }
        function send(userId, text, badge) {
            var subscription = WL.Server.getUserNotificationSubscription("A.PushEventSource", userId)
            if (subscription === null)
                return { result: "none :: " + userId }
            WL.Server.notifyAllDevices(subscription, { alert: text, badge: badge, payload: { foo: "bar" } })
            return { result: 'sent' }
        }
        """,
        """
        var select = WL.Server.createSQLStatement("select * from t where a = ? and b in (?, ?)");
        function query(id) {
            try {
                for (var i = 0, rows = run(id).resultSet, out = []; i < rows.length; ++i) {
                    switch (rows[i].kind) {
                    case "a": out.push(rows[i].v / 2); break
                    default: if (/^x[/]/i.test(rows[i].v)) continue; else out.push(rows[i])
                    }
                }
                return { rows: out, n: out.length ? out[0] : null };
            } catch (e) { WL.Logger.error("failed: " + e); return { isSuccessful: false }; }
        }
        function run(id) { return WL.Server.invokeSQLStatement({ preparedStatement: select, parameters: [id, 1, 2] }); }
        """,
        """
        function soap(country) {
            var ns = new Namespace("http://www.webserviceX.NET");
            var request = <soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">
                <soap:Body><GetCities xmlns={ns}><CountryName>{country}</CountryName></GetCities></soap:Body>
            </soap:Envelope>;
            var result = new XML(WL.Server.invokeHttp({ method: 'post', body: { content: request.toString() } }).text);
            var names = [];
            for each (var city in result..City.(@population > 1000)) names.push(String(city.@name));
            try { check(names) } catch (e if e instanceof TypeError) { return [] } catch (e) { throw e }
            return names.map(function (n) n.toUpperCase());
        }
        """,
    ]
}
