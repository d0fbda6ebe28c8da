/// Programs whose variables look like temporaries and are read before the call has given them a value.
extension StatefulScripts {
    static let flow = [
        ScriptCase(
            "assigned under a condition",
            #"""
            var path;
            function list(topic) {
                if (topic) { path = "/list/" + topic; }
                return WL.Server.invokeHttp({ method: "get", path: path || "/list" });
            }
            """#),
        ScriptCase(
            "assigned in a loop over the client's list",
            #"""
            function last(list) {
                for (var i = 0; i < list.length; i++) { found = list[i]; }
                return found;
            }
            var found;
            """#),
        ScriptCase(
            "assigned in a while loop",
            #"""
            var rest = 0;
            function left(n) { while (n > 3) { n -= 3; rest = n; } return rest; }
            """#),
        ScriptCase(
            "the variable of a for-in loop after it",
            #"""
            function lastKey(o) { for (key in o) { WL.Logger.debug(key); } return key; }
            var key = "";
            """#),
        ScriptCase(
            "the variable of a for-of loop after it",
            #"""
            var item;
            function lastOf(list) { for (item of list) { if (item.hit) { break; } } return item; }
            """#),
        ScriptCase(
            "assigned in a callback that may never run",
            #"""
            var best;
            function pick(list) { list.forEach(function (x) { best = x; }); return best; }
            """#),
        ScriptCase(
            "assigned in a comparison function",
            #"""
            var compared;
            function order(list) { list.sort(function (a, b) { compared = a; return a - b; }); return compared; }
            """#),
        ScriptCase(
            "assigned in a replacement function",
            #"""
            var word = "";
            function find(text) { text.replace(/#(\w+)/, function (m, w) { word = w; }); return word; }
            """#),
        ScriptCase(
            "read by the handler when the trial fails first",
            #"""
            var name = "";
            function parse(text) {
                try { name = JSON.parse(text).name; } catch (e) { return "cannot read after " + name; }
                return name;
            }
            """#),
        ScriptCase(
            "assigned in a trial and read after it",
            #"""
            var parsed;
            function parse(text) { try { parsed = JSON.parse(text); } catch (e) { WL.Logger.warn("bad"); } return parsed; }
            """#),
        ScriptCase(
            "assigned in a handler only",
            #"""
            var problem = "";
            function parse(text) { try { JSON.parse(text); } catch (e) { problem = String(e); } return problem; }
            """#),
        ScriptCase(
            "read first and assigned at last",
            #"""
            var previous = null;
            function swap(v) { try { return previous; } finally { previous = v; } }
            """#),
        ScriptCase(
            "left by a label before the value is given",
            #"""
            var total;
            function sum(list) {
                work: { if (!list.length) { break work; } total = list.length; }
                return total;
            }
            """#),
        ScriptCase(
            "left by a label out of two loops",
            #"""
            var hit;
            function search(rows) {
                rows: for (var i = 0; ; i++) { for (var j = 0; j < 2; j++) { if (i >= rows.length) { break rows; } } hit = rows[i]; }
                return hit;
            }
            """#),
        ScriptCase(
            "a continue that skips the value",
            #"""
            var width;
            function measure(list) {
                for (var i = 0; i < 1; i++) { if (!list[i]) { continue; } width = list[i].length; }
                return width;
            }
            """#),
        ScriptCase(
            "a do loop left early",
            #"""
            var depth;
            function measure(o) { do { if (!o.child) { break; } depth = o.child.depth; } while (false); return depth; }
            """#),
        ScriptCase(
            "an endless loop left before the value is given",
            #"""
            var code;
            function read(list) { for (;;) { if (!list.length) { break; } code = list.pop(); } return code; }
            """#),
        ScriptCase(
            "a switch without a default",
            #"""
            var unit;
            function format(kind, n) {
                switch (kind) { case "m": unit = "metre"; break; case "s": unit = "second"; break; }
                return n + " " + unit;
            }
            """#),
        ScriptCase(
            "a switch entered past the assignment",
            #"""
            var label;
            function format(kind) {
                switch (kind) { case 1: label = "one"; case 2: return label; default: return ""; }
            }
            """#),
        ScriptCase(
            "a switch whose default comes in the middle",
            #"""
            var label;
            function format(kind) {
                switch (kind) { case 1: label = "one"; break; default: label = "many"; break; case 2: }
                return label;
            }
            """#),
        ScriptCase(
            "a switch whose tests assign",
            #"""
            var tried;
            function format(kind) { switch (kind) { case 1: break; case (tried = kind): break; } return tried; }
            """#),
        ScriptCase(
            "assigned after an and",
            #"""
            var title;
            function show(o) { o && (title = o.title); return title; }
            """#),
        ScriptCase(
            "assigned after an or",
            #"""
            var title;
            function show(o) { o.short || (title = o.title); return title; }
            """#),
        ScriptCase(
            "an or with itself",
            #"""
            var token;
            function ask(given) { token = given || token; return token; }
            """#),
        ScriptCase(
            "assigned in one arm of a condition",
            #"""
            var mode;
            function set(flag) { return flag ? (mode = flag) : mode; }
            """#),
        ScriptCase(
            "a declaration that comes late",
            #"""
            function show(v) { var before = title; title = v; return before; }
            var title;
            """#),
        ScriptCase(
            "an inner function that runs before the value is given",
            #"""
            var path;
            function list(v) {
                var before = describe();
                path = v;
                function describe() { return "path " + path; }
                return before;
            }
            """#),
        ScriptCase(
            "an inner function that assigns and is never called",
            #"""
            var path;
            function list(v) { function set() { path = v; } if (v > 1) { set(); } return path; }
            """#),
        ScriptCase(
            "a closure called before the value is given",
            #"""
            var path;
            function list(v) { var read = function () { return path; }, before = read(); path = v; return before; }
            """#),
        ScriptCase(
            "an argument read before the next one assigns",
            #"""
            var last;
            function both(a, b) { return [a, b]; }
            function swap(v) { return both(last, last = v); }
            """#),
        ScriptCase(
            "the left side read first",
            #"""
            var sum = 0;
            function add(n) { return sum + (sum = n); }
            """#),
        ScriptCase(
            "the old value under a new assignment",
            #"""
            var shift;
            function swap(v) { return [shift, shift = v][0]; }
            """#),
        ScriptCase(
            "a sum that goes on",
            #"""
            var total = 0;
            function add(n) { total += n; return total; }
            """#),
        ScriptCase(
            "a sum of the variable and itself",
            #"""
            var total = 0;
            function add(n) { total = total + n; return total; }
            """#),
        ScriptCase(
            "an undeclared counter",
            #"""
            function next() { if (typeof counter === "undefined") { counter = 0; } return counter++; }
            """#),
        ScriptCase(
            "a typeof test of an undeclared name",
            #"""
            function seen(v) { var known = typeof mark; mark = v; return known; }
            """#),
        ScriptCase(
            "an undeclared name read when it is there",
            #"""
            function swap(v) { try { return held; } catch (e) { return null; } finally { held = v; } }
            """#),
        ScriptCase(
            "a table given only when it is missing",
            #"""
            var options;
            function set(k, v) { options = options || {}; options["k" + k] = v; return options; }
            """#),
        ScriptCase(
            "a name given a shared table",
            #"""
            var shared = { list: [] }, work;
            function add(x) { work = shared; work.list.push(x); return work; }
            """#),
        ScriptCase(
            "a table that stays in the name when the next call reads it",
            #"""
            var row;
            function fill(v) { row = { v: v }; return row.v; }
            function read() { return row && row.v; }
            """#),
        ScriptCase(
            "a helper that clients can call too",
            #"""
            var path;
            function list(topic) { path = "/t/" + topic; return send(); }
            function send() { return WL.Server.invokeHttp({ method: "get", path: path }); }
            """#),
        ScriptCase(
            "a helper that may leave the value out",
            #"""
            var user;
            function setUser(o) { if (o.user) { user = o.user; } }
            function who(o) { setUser(o); return user; }
            """#),
        ScriptCase(
            "a helper that throws before the value is given",
            #"""
            var user;
            function setUser(o) { if (!o) { throw new Error("no user"); } user = o.name; }
            function who(o) { try { setUser(o); } catch (e) { WL.Logger.warn(e); } return user; }
            """#),
        ScriptCase(
            "a recursion that reads first",
            #"""
            var level;
            function walk(n) { if (n > 0) { level = n; walk(n - 1); } return level; }
            """#),
        ScriptCase(
            "a default parameter that assigns",
            #"""
            var unit;
            function measure(n, u = (unit = "metre")) { return n + unit; }
            function mark(u) { unit = u; }
            """#),
        ScriptCase(
            "a pattern default that reads",
            #"""
            var last = "none";
            function swap({ name = last }) { last = name; return name; }
            """#),
        ScriptCase(
            "a pattern default that assigns",
            #"""
            var missing;
            function check(o) { const { id = (missing = "id") } = o; return [id, missing]; }
            """#),
        ScriptCase(
            "a block that hides the name",
            #"""
            var path = "/";
            function list(v) {
                var before;
                { let path = "/" + v; before = path; }
                before += path;
                path = v;
                return before;
            }
            """#),
    ]
}
