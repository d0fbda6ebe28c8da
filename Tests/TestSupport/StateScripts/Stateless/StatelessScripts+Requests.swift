/// Adapters that ask a back end and keep nothing.
extension StatelessScripts {
    static let requests = [
        ScriptCase(
            "a feed of stories",
            #"""
            function getStories(interest) {
                path = getPath(interest);
                var input = { method: "get", returnedContentType: "xml", path: path };
                return WL.Server.invokeHttp(input);
            }
            function getPath(interest) {
                if (interest === undefined || interest === "") { interest = ""; } else { interest = "_" + interest; }
                return "feeds/news" + interest + ".xml";
            }
            """#),
        ScriptCase(
            "a feed with a filter sheet",
            #"""
            function getStories() {
                var input = {
                    method: "get", returnedContentType: "xml", path: "/rss",
                    transformation: { type: "xslFile", xslFile: "filtered.xsl" }
                };
                return WL.Server.invokeHttp(input);
            }
            """#),
        ScriptCase(
            "a statement with parameters",
            #"""
            var selectAccount = WL.Server.createSQLStatement("select id, name from account where owner = ?");
            function accounts(owner) {
                return WL.Server.invokeSQLStatement({ preparedStatement: selectAccount, parameters: [owner] });
            }
            """#),
        ScriptCase(
            "four statements of a table",
            #"""
            var selectAll = WL.Server.createSQLStatement("select id, title from item");
            var insertOne = WL.Server.createSQLStatement("insert into item (title) values (?)");
            var updateOne = WL.Server.createSQLStatement("update item set title = ? where id = ?");
            var deleteOne = WL.Server.createSQLStatement("delete from item where id = ?");
            function list() { return run(selectAll, []); }
            function add(title) { return run(insertOne, [title]); }
            function change(id, title) { return run(updateOne, [title, id]); }
            function remove(id) { return run(deleteOne, [id]); }
            function run(statement, values) {
                return WL.Server.invokeSQLStatement({ preparedStatement: statement, parameters: values });
            }
            """#),
        ScriptCase(
            "a stored procedure",
            #"""
            function balance(account) {
                return WL.Server.invokeSQLStoredProcedure({ procedure: "balance", parameters: [account] });
            }
            """#),
        ScriptCase(
            "rows made into a short list",
            #"""
            var statement = WL.Server.createSQLStatement("select id, name, city from office");
            function offices() {
                var answer = WL.Server.invokeSQLStatement({ preparedStatement: statement, parameters: [] });
                var list = [];
                for (var i = 0; i < answer.resultSet.length; i++) {
                    list.push({ id: answer.resultSet[i].id, label: answer.resultSet[i].name + ", " + answer.resultSet[i].city });
                }
                return { offices: list };
            }
            """#),
        ScriptCase(
            "a secret taken out of an answer",
            #"""
            function clean(o) { delete o.secret; return o; }
            function list() { return clean(WL.Server.invokeHttp({ method: "get", path: "/list" })); }
            """#),
        ScriptCase(
            "rows of an answer changed in place",
            #"""
            function prices(rate) {
                var answer = WL.Server.invokeHttp({ method: "get", path: "/prices" });
                for (var i = 0; i < answer.items.length; i++) {
                    var item = answer.items[i];
                    item.price = item.price * rate;
                    delete item.cost;
                }
                return answer;
            }
            """#),
        ScriptCase(
            "a client's order completed in place",
            #"""
            function order(o) {
                o.total = 0;
                o.lines.forEach(function (line) { line.sum = line.count * line.price; o.total += line.sum; });
                var body = { content: JSON.stringify(o), contentType: "text/json" };
                return WL.Server.invokeHttp({ method: "post", path: "/orders", body: body });
            }
            """#),
        ScriptCase(
            "headers for the user of the call",
            #"""
            function mine() {
                var user = WL.Server.getActiveUser("R");
                var headers = {};
                if (user) { headers["X-User"] = user.userId; }
                return WL.Server.invokeHttp({ method: "get", path: "/mine", headers: headers });
            }
            """#),
        ScriptCase(
            "a header of the client's request",
            #"""
            function agent() {
                var request = WL.Server.getClientRequest();
                return { agent: String(request.getHeader("User-Agent")) };
            }
            """#),
        ScriptCase(
            "a procedure of another adapter",
            #"""
            function orders(id) {
                var invocation = { adapter: "Orders", procedure: "list", parameters: [id] };
                return WL.Server.invokeProcedure(invocation);
            }
            """#),
        ScriptCase(
            "two answers put together",
            #"""
            function overview(id) {
                var customer = WL.Server.invokeHttp({ method: "get", path: "/customer/" + id });
                var orders = WL.Server.invokeProcedure({ adapter: "Orders", procedure: "list", parameters: [id] });
                customer.orders = orders.isSuccessful ? orders.list : [];
                return customer;
            }
            """#),
        ScriptCase(
            "a query string from an object",
            #"""
            function find(query) {
                var parts = [];
                for (var k in query) { parts.push(encodeURIComponent(k) + "=" + encodeURIComponent(query[k])); }
                return WL.Server.invokeHttp({ method: "get", path: "/find?" + parts.join("&") });
            }
            """#),
        ScriptCase(
            "a text encoded by Java",
            #"""
            function find(text) {
                var q = java.net.URLEncoder.encode(text, "UTF-8");
                return WL.Server.invokeHttp({ method: "get", path: "/find?q=" + q });
            }
            """#),
        ScriptCase(
            "an envelope built from texts",
            #"""
            function envelope(body) { return "<soap:Envelope><soap:Body>" + body + "</soap:Body></soap:Envelope>"; }
            function weather(city) {
                var content = envelope("<city>" + city + "</city>");
                return WL.Server.invokeHttp({ method: "post", path: "/soap", body: { content: content, contentType: "text/xml" } });
            }
            """#),
        ScriptCase(
            "a request tried three times",
            #"""
            function fetch(path) {
                var answer = null;
                for (var i = 0; i < 3; i++) {
                    answer = WL.Server.invokeHttp({ method: "get", path: path });
                    if (answer.isSuccessful) { break; }
                    WL.Logger.warn("attempt " + i + " failed");
                }
                return answer;
            }
            function list() { return fetch("/list"); }
            """#),
        ScriptCase(
            "a failure that is reported",
            #"""
            function list() {
                var answer;
                try {
                    answer = WL.Server.invokeHttp({ method: "get", path: "/list" });
                } catch (e) {
                    WL.Logger.error("list: " + e);
                    answer = { isSuccessful: false, errors: [String(e)] };
                } finally {
                    WL.Logger.debug("list done");
                }
                return answer;
            }
            """#),
        ScriptCase(
            "options copied from a table of constants",
            #"""
            var DEFAULTS = { method: "get", returnedContentType: "json" };
            function options(path) {
                var o = {};
                for (var k in DEFAULTS) { o[k] = DEFAULTS[k]; }
                o.path = path;
                return o;
            }
            function list() { return WL.Server.invokeHttp(options("/list")); }
            """#),
        ScriptCase(
            "a path and a method left undeclared",
            #"""
            function send(kind, text) {
                method = kind === "write" ? "post" : "get";
                target = "/box/" + encodeURIComponent(text);
                return WL.Server.invokeHttp({ method: method, path: target });
            }
            """#),
        ScriptCase(
            "input options left undeclared",
            #"""
            function list(page) {
                input = { method: "get", returnedContentType: "json", path: "/list" };
                input.path += "?page=" + page;
                return WL.Server.invokeHttp(input);
            }
            """#),
        ScriptCase(
            "a debug line of Java",
            #"""
            function list() {
                java.lang.System.out.println("list called");
                var began = java.lang.System.currentTimeMillis();
                var answer = WL.Server.invokeHttp({ method: "get", path: "/list" });
                answer.took = java.lang.System.currentTimeMillis() - began;
                return answer;
            }
            """#),
        ScriptCase(
            "a Java table made for a call",
            #"""
            function parameters(id) {
                var table = new java.util.Hashtable();
                table.put("id", id);
                return { id: String(table.get("id")) };
            }
            """#),
    ]
}
