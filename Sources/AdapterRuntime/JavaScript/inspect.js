// Returns a function that formats a value for users: nested three deep, cut where it is long, without calling getters. It keeps the functions
// of the language that it needs: scripts may replace theirs.
(function (stringify, keysOf, describe, isArray, prototypeOf, toText, MapType, SetType, DateType, ExpressionType) {
    "use strict";
    var deepest = 3, longestList = 100, longestText = 10000, width = 76;
    function cut(text) {
        return text.length > longestText ? text.slice(0, longestText) + "… (" + text.length + " characters)" : text;
    }
    function quoted(text) {
        var json = stringify(cut(text));
        return "'" + json.slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'") + "'";
    }
    function attempt(body, otherwise) {
        try { return body(); } catch (error) { return otherwise; }
    }
    function key(name) {
        if (typeof name === "symbol") return "[" + String(name) + "]";
        return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
    }
    function className(value) {
        var prototype = attempt(function () { return prototypeOf(value); }, null);
        if (prototype === null) return "[no prototype]";
        var name = attempt(function () { return value.constructor.name; }, "");
        return typeof name === "string" && name !== "Object" && name !== "Array" ? name : "";
    }
    function functionText(value) {
        var name = attempt(function () { return value.name; }, "");
        if (typeof name !== "string") return attempt(function () { return cut(toText(value)); }, "[Function]");
        var kind = /^class\b/.test(attempt(function () { return toText(value); }, "")) ? "class" : "Function";
        return "[" + kind + (name ? ": " + name : " (anonymous)") + "]";
    }
    function member(object, name, depth, around) {
        var described = attempt(function () { return describe(object, name); }, undefined);
        if (described && !("value" in described) && (described.get || described.set)) {
            return described.get ? (described.set ? "[Getter/Setter]" : "[Getter]") : "[Setter]";
        }
        return attempt(function () { return show(object[name], depth + 1, around); }, "[throws]");
    }
    function joined(parts, open, close) {
        if (!parts.length) return open + close;
        var line = open + " " + parts.join(", ") + " " + close;
        if (line.length <= width && line.indexOf("\n") < 0) return line;
        return open + "\n" + parts.map(function (part) {
            return "  " + part.replace(/\n/g, "\n  ");
        }).join(",\n") + "\n" + close;
    }
    function members(object, names, depth, around) {
        var parts = names.slice(0, longestList).map(function (name) {
            return key(name) + ": " + member(object, name, depth, around);
        });
        if (names.length > longestList) parts.push("… " + (names.length - longestList) + " more");
        return parts;
    }
    function list(values, depth, around) {
        var parts = [], empty = 0, i = 0;
        function close() {
            if (empty) parts.push("(" + empty + " empty)");
            empty = 0;
        }
        for (; i < values.length && parts.length < longestList && i < 10000; i++) {
            if (i in values) {
                close();
                parts.push(member(values, i, depth, around));
            } else {
                empty++;
            }
        }
        close();
        if (i < values.length) parts.push("… " + (values.length - i) + " more");
        return parts;
    }
    function objectText(value, depth, around) {
        if (around.indexOf(value) >= 0) return "[Circular]";
        if (value instanceof DateType) return attempt(function () { return value.toISOString(); }, "Invalid Date");
        if (value instanceof ExpressionType) return toText(value);
        if (value instanceof Error) return "[" + attempt(function () { return toText(value); }, "Error") + "]";
        if (typeof value.toXMLString === "function") {
            return attempt(function () { return cut(value.toXMLString()); }, "[XML]");
        }
        var name = className(value);
        if (depth > deepest) return isArray(value) ? "[Array]" : "[" + (name || "Object") + "]";
        around = around.concat([value]);
        var prefix = name ? name + " " : "";
        if (isArray(value)) {
            var extra = keysOf(value).filter(function (name) { return !/^\d+$/.test(name); });
            return joined(list(value, depth, around).concat(members(value, extra, depth, around)), "[", "]");
        }
        if (value instanceof MapType || value instanceof SetType) {
            var parts = [];
            value.forEach(function (item, name) {
                if (parts.length > longestList) return;
                var text = show(item, depth + 1, around);
                parts.push(value instanceof MapType ? show(name, depth + 1, around) + " => " + text : text);
            });
            return prefix + joined(parts, "{", "}");
        }
        if (typeof value.length === "number" && typeof value.BYTES_PER_ELEMENT === "number") {
            return prefix + joined(list(value, depth, around), "[", "]");
        }
        return prefix + joined(members(value, keysOf(value), depth, around), "{", "}");
    }
    function show(value, depth, around) {
        switch (typeof value) {
        case "string": return quoted(value);
        case "number": return value === 0 && 1 / value < 0 ? "-0" : String(value);
        case "bigint": return String(value) + "n";
        case "function": return functionText(value);
        case "object": return value === null ? "null" : objectText(value, depth, around);
        default: return String(value);
        }
    }
    return function (value) {
        var text = show(value, 1, []);
        return text.length > 100000 ? text.slice(0, 100000) + "… (" + text.length + " characters)" : text;
    };
})(JSON.stringify, Object.keys, Object.getOwnPropertyDescriptor, Array.isArray, Object.getPrototypeOf, String,
    typeof Map === "function" ? Map : function () {}, typeof Set === "function" ? Set : function () {}, Date, RegExp)
