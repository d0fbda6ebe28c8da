/// Mistakes in calls of `WL.Server`, each alone in an adapter. The first ones are those that an outsider planted and `check` missed.
extension PlantedMistake {
    private static let withApplication = [
        "apps/MyBank/application-descriptor.xml": """
        <application id="MyBank" xmlns="http://www.worklight.com/application-descriptor"><tags><tag><name>gold</name></tag></tags>
        <android version="1.0"/></application>
        """,
        "adapters/A/A.xml": adapter("<procedure name=\"go\" securityTest=\"wl_unprotected\"/>"),
    ]

    static let missedBefore: [PlantedMistake] = [
        .call("invokeHttp()", "expected an object with 'method' and 'path' as the first argument, which is missing"),
        .call("invokeHttp('get', '/x')", "got the string 'get'"),
        .call("invokeHttp({ method: 'get', path: 'http://h/x' })", "write only the path"),
        .call(
            "invokeHttp({ method: 'get', path: '/', returnedContentType: 'jsn' })", "expected one of json, xml, html"),
        .call(
            "invokeHttp({ method: 'get', path: '/', transformation: { type: 'xslFile', xslFile: 'nope.xsl' } })",
            "there is no stylesheet adapters/A/nope.xsl"),
        .call(
            "invokeProcedure({ adapter: 'A', procedure: 'go', parameter: [1] })",
            "the option 'parameter' is not known and does nothing; is 'parameters' meant?"),
        .call("invokeHttp({ method: 'get', path: '/', parameters: 'a=b' })", "'parameters' is the string 'a=b'"),
        .script("WL.Server.createEventSource('E');", "got the string 'E'"),
        .script("WL.Server.createEventSource({});", "the option 'name' is missing"),
        .script(
            "WL.Server.createEventSource({ name: 'E', poll: { interval: '3', onPoll: go } });",
            "'poll.interval' is the string '3'; expected a number of seconds"),
        .script(
            "WL.Server.createEventSource({ name: 'E', poll: { interval: 3, onPoll: go() } }); function go() { return 1; }",
            "onPoll is the result of go(), which runs here once; write go, without the parentheses"),
        .call("sendMessage('MyBankk', { message: { alert: 'x' } })", "is 'MyBank' meant?", files: withApplication),
        .call(
            "sendMessage('MyBank', { message: 'x' })", "message: expected an object, got the string 'x'",
            files: withApplication),
        .call(
            "sendMessage('MyBank', { message: { alert: 'x' }, target: { tagNames: ['goldd'] } })", "is 'gold' meant?",
            files: withApplication),
        .call("notifyAllDevices(null, { APNS: { alert: 'x' } })", "got null, so the call fails"),
        .call("notifyAllDevices(sub, 'hello')", "got the string 'hello'"),
        .call(
            "notifyAllDevices(sub, { APNS: { badge: 'many' } })",
            "APNS.badge: expected a whole number, got the string 'many'"),
        .policy("<domain>http://127.0.0.1/api</domain>", "expected a host name or address alone"),
        .policy("<domain></domain>", "domain is empty, so every invokeHttp fails"),
        .call(
            "invokeSQLStatement({ statement: text, parameters: [] })",
            "the option 'statement' is not known and does nothing; is 'preparedStatement' meant?", sql: true),
        .script("function go() { WL.Logger.warning('x'); }", "is 'warn' meant?"),
        .script(
            "function go() { return eval('1') + undefinedName; }",
            "eval() is turned off, so this is an EvalError when it is reached"),
        .script("function go() { return eval('1') + undefinedName; }", "nothing is called 'undefinedName'"),
        .xml(
            """
            <connectivity>
            <connectionPolicy xsi:type="http:HTTPConectionPolicyType"><domain>127.0.0.1</domain></connectionPolicy>
            </connectivity>
            <procedure name="go"/>
            """, 3, "is 'http:HTTPConnectionPolicyType' meant?"),
    ]

    static let scripts: [PlantedMistake] = [
        .call(
            "invokeHttp({ method: 'fetch', path: '/' })", "'method' is the string 'fetch'; expected one of get, post"),
        .call("invokeHttp({ path: '/' })", "the option 'method' is missing"),
        .call(
            "invokeHttp({ method: 'get', paht: '/' })",
            "the option 'paht' is not known and does nothing; is 'path' meant?"),
        .call("invokeHttp({ method: 'get', path: ['a', 'b'] })", "'path' is an array; expected a string"),
        .call("invokeHttp({ method: 'get', path: '/', headers: 'Accept: text/xml' })", "'headers' is the string"),
        .call(
            "invokeHttp({ method: 'get', path: '/', cookies: 'a=b' })",
            "'cookies' is the string 'a=b'; expected an object"),
        .call(
            "invokeHttp({ method: 'post', path: '/', body: { contentTyp: 'text/plain', content: 'x' } })",
            "is 'contentType' meant?"),
        .call(
            "invokeHttp({ method: 'post', path: '/', body: 'a=b' })", "'body' is the string 'a=b'; expected an object"),
        .call("invokeHttp({ method: 'get', path: '/', body: { content: 'x' } })", "'body' is not allowed with get"),
        .call("invokeHttp({ method: 'get', path: '/', socketTimeoutInMilliseconds: 'long' })", "expected a number"),
        .call(
            "invokeHttp({ method: 'get', path: '/', transformation: 'a.xsl' })",
            "'transformation' is the string 'a.xsl'"),
        .call(
            "invokeHttp({ method: 'get', path: '/', transformation: { xslFile: 'a.xsl' } })",
            "the option 'transformation.type' is missing; expected one of default, xslFile, void"),
        .call(
            "invokeHttp({ method: 'get', path: '/', transformation: { type: 'xsl', xslFile: 'a.xsl' } })",
            "'transformation.type' is the string 'xsl'"),
        .call(
            "invokeHttp({ method: 'get', path: '/', transformation: { type: 'xslFile' } })",
            "'transformation.xslFile' is missing"
        ),
        .script(
            "function go() { return WL.Server.invokeHTTP({ method: 'get', path: '/' }); }", "is 'invokeHttp' meant?"),
        .script("function go() { return WL.server.invokeHttp({ method: 'get', path: '/' }); }", "is 'Server' meant?"),
        .call("invokeProcedure('A', 'go')", "got the string 'A'"),
        .call("invokeProcedure({ adapter: 'A' })", "the option 'procedure' is missing"),
        .call("invokeProcedure({ adapter: 'B', procedure: 'go' })", "there is no adapter 'B'"),
        .call("invokeProcedure({ adapter: 'A', procedure: 'og' })", "declares no procedure 'og'"),
        .script(
            "WL.Server.createEventSource({ name: '', poll: { interval: 5, onPoll: 'go' } });",
            "'name' is the string ''; expected a string that is not empty"),
        .script(
            "WL.Server.createEventSource({ name: 'E', poll: { interval: 0, onPoll: 'go' } });",
            "'poll.interval' is the number 0; expected a number of seconds above 0"),
        .script(
            "WL.Server.createEventSource({ name: 'E', poll: 'go' });", "'poll' is the string 'go'; expected an object"),
        .script(
            "WL.Server.createEventSource({ name: 'E', onDeviceSubscibe: 'go' });", "is 'onDeviceSubscribe' meant?"),
        .script("WL.Server.createEventSource({ name: 'E', onPoll: 'go' });", "it belongs into poll"),
        .script("WL.Server.createEventSource({ name: 'E', onUserChange: 5 });", "expected a function"),
        .script(
            "WL.Server.createEventSource({ name: 'E' });\nWL.Server.createEventSource({ name: 'E' });",
            "is declared on line 1 already", line: 2),
        .script(
            "WL.Server.createEventSource({ name: 'E', poll: { interval: 60000, onPoll: 'go' } });",
            "if milliseconds were meant"),
        .call("getUserNotificationSubscription('A.E')", "as the second argument, which is missing"),
        .call("getUserNotificationSubscription('A.E', text)", "declares no event source 'E'"),
        .call("getUserNotificationSubscription('A.E', null)", "as the second argument, got null"),
        .call("notifyAllDevices(sub)", "as the second argument, which is missing"),
        .call(
            "notifyAllDevices('ann', { APNS: { alert: 'x' } })",
            "expected what getUserNotificationSubscription returned"),
        .call("notifyDevice(sub, { APNS: { alert: 'x' } })", "as the third argument, which is missing"),
        .call("notifyDeviceSubscription('d', {})", "expected what getDeviceSubscriptions returned"),
        .call("notifyAllDevices(sub, { GCM: { payload: 'x' } })", "GCM.payload: expected an object"),
        .call("notifyAllDevices(sub, { GCM: { timeToLive: 'soon' } })", "GCM.timeToLive: expected a number"),
        .call("notifyAllDevices(sub, { APNS: { type: 'LOUD' } })", "APNS.type: expected one of"),
        .call("createDefaultNotification(text, 'one', {})", "APNS.badge: expected a whole number"),
        .call("createDefaultNotification(text, 1, 'payload')", "APNS.payload: expected an object"),
        .call("sendMessage({ message: { alert: 'x' } })", "expected a string as the first argument, got an object"),
        .call("sendMessage('MyBank')", "as the second argument, which is missing", files: withApplication),
        .call("sendMessage('MyBank', { mesage: { alert: 'x' } })", "is 'message' meant?", files: withApplication),
        .call(
            "sendMessage('MyBank', { message: { alert: 'x' }, target: { platforms: ['iOS'] } })",
            "target.platforms[0]: expected one of", files: withApplication),
        .call(
            "sendMessage('MyBank', { message: { alert: 'x' }, settings: { apns: { badge: 'x' } } })",
            "settings.apns.badge: expected a whole number", files: withApplication),
        .call("setActiveUser({ userId: text })", "expected a string as the first argument, got an object"),
        .call("setActiveUser('R', 'ann')", "got the string 'ann'"),
        .call("addResponseHeader('X-A')", "as the second argument, which is missing"),
        .call("setEventHandlers({})", "expected an array"),
        .script(
            "WL.Server.setEventHandlers([WL.Server.createEventHandler('go', go)]);", "expected an object as the first"),
        .script("WL.Server.setEventHandlers([WL.Server.createEventHandler({}, 'og')]);", "names 'og'"),
        .call("createSQLStatement(5)", "expected a string as the first argument, got the number 5", sql: true),
        .call("invokeSQLStatement('select 1')", "got the string 'select 1'", sql: true),
        .call("invokeSQLStatement({ preparedStatement: 5 })", "'preparedStatement' is the number 5", sql: true),
        .call(
            "invokeSQLStatement({ preparedStatement: text, params: [1] })",
            "is not known and does nothing; there are: ", sql: true),
        .call("invokeSQLStoredProcedure({ name: 'p' })", "is 'procedure' meant?", sql: true),
        .script(
            "var s = WL.Server.createSQLStatement('select * from a where b = ?');\nfunction go() { return WL.Server.invokeSQLStatement({ preparedStatement: s, parameters: [1, 2] }); }",
            "has 1 ?, and 2 parameters are given", sql: true, line: 2),
        .call("invokeHttp({ method: 'get', path: '/' })", "has no HTTP back end", sql: true),
        .script("function go() { return new Function('return 1')(); }", "new Function() is turned off"),
        .script("function go() { undefned = 1; return undefned; }", "declared nowhere"),
        .script("function go() { setTimeout(go, 1000); }", "there are no timers"),
        .script("function go(p) { return JSON.parse(p.txt).lenght + jQuery(p); }", "it is of web pages"),
        .script("function go() { return 1 }}", "SyntaxError"),
        .script("import { a } from 'b';\nfunction go() { return a; }", "modules are not available"),
    ]

    static let oldAdapters: [PlantedMistake] = [
        .script("function go() { return new java.util.Date(); }", "Lamplighter has no Java; write new Date()"),
        .script("function go() { return java.util.UUID.randomUUID(); }", "write an id of the back end's"),
        .script(
            "importPackage(java.text);\nfunction go() { return new SimpleDateFormat('y'); }", "the methods of Date",
            line: 2),
        .script("function go() { return ('' + WL).contains('a'); }", "has no contains()"),
        .script("function go(o) { for each (var x in o) WL.Logger.info(x); }", "for each"),
        .script("function go() { try { go(); } catch (e if e.a) { return 1; } }", "conditional catch"),
        .script("function go() { return <a/>; }", "E4X"),
        .call("invokeCastIron({ appName: 'a' })", "is not available here"),
        .call("writeJMSMessage({ destination: 'a' })", "is not available here"),
        .script("function go() { return WL.Client.getUserName(); }", "it is of clients"),
        .script(
            "function go() { var r = new JavaAdapter(java.lang.Runnable, {}); r.run(); }", "write a JavaScript object"),
        .script(
            "function go() { return go2(); }\nfunction go2() { return 1; }\nfunction go2() { return 2; }", "go2",
            line: 3),
        .script(
            "function go() { return WL.Server.configuration.hsot; }", "has no 'hsot'",
            files: ["server/conf/worklight.properties": "host=a"]),
    ]
}
