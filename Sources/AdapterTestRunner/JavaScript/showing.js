// Formats values as strings, for the messages of expect.
(function (language, equality) {
    "use strict";

    var { concat, elements, filter, indexOf, is, isArray, keysOf, kindOf, map, stringify, textOf } = language;
    var { Asymmetric, isObject } = equality;

    var longest = 20000;
    // True if a string with several lines is shown as one string for each line, so that its lines can be compared.
    var splitsTexts = false;

    function show(value, indent, seen) {
        if (splitsTexts && typeof value === "string" && indexOf(value, "\n") >= 0) {
            var pieces = map(language.matches(value, /[^\n]*\n|[^\n]+$/g), function (piece) {
                return (indent === "" ? "" : indent + "  ") + stringify(piece);
            });
            return (indent === "" ? "" : "\n") + language.join(pieces, "\n");
        }
        if (value instanceof Asymmetric) {
            return value.name + (value.argument === undefined ? "" : "(" + show(value.argument, "", []) + ")");
        }
        if (typeof value === "string") return stringify(value);
        if (typeof value === "function") return "[Function" + (value.name ? " " + textOf(value.name) : "") + "]";
        if (typeof value === "bigint") return textOf(value) + "n";
        if (is(value, -0)) return "-0";
        if (!isObject(value)) return textOf(value);
        if (language.includes(seen, value)) return "[Circular]";
        var kind = kindOf(value);
        var inner = concat(seen, [value]);
        if (language.isWrapper(kind)) return "[" + kind + ": " + show(language.unwrapped(value, kind), "", []) + "]";
        switch (kind) {
        case "Date": return is(language.timeOf(value), NaN) ? "Invalid Date" : language.textOfDate(value);
        case "RegExp": return language.textOfPattern(value);
        case "Error": return "[" + textOf(value.name) + ": " + textOf(value.message) + "]";
        case "Map": return "Map " + show(language.entriesOfMap(value), indent, inner);
        case "Set": return "Set " + show(language.itemsOfSet(value), indent, inner);
        case "ArrayBuffer": return "ArrayBuffer " + show(language.bytesOfBuffer(value), indent, inner);
        case "DataView": return "DataView " + show(language.bytesOfView(value), indent, inner);
        }
        var deeper = indent + "  ";
        var isList = isArray(value) || language.isTypedArray(value);
        var parts = isList
            ? map(elements(value), function (element) { return deeper + show(element, deeper, inner); })
            : map(language.sorted(keysOf(value)), function (key) {
                return deeper + stringify(key) + ": " + show(value[key], deeper, inner);
            });
        var open = isList ? "[" : "{", close = isList ? "]" : "}";
        return parts.length ? open + "\n" + language.join(parts, ",\n") + ",\n" + indent + close : open + close;
    }

    function cut(whole, length) {
        return whole.length > length ? language.slice(whole, 0, length) + "…" : whole;
    }

    function text(value) {
        return cut(show(value, "", []), longest);
    }

    // Returns the complete value, for a comparison of its lines.
    function lines(value) {
        splitsTexts = true;
        try {
            return show(value, "", []);
        } finally {
            splitsTexts = false;
        }
    }

    // Returns a value on one line, truncated.
    function line(value) {
        return cut(language.replace(show(value, "", []), /\n */g, function () { return " "; }), 200);
    }

    function parameters(list) {
        return "(" + language.join(map(list, line), ", ") + ")";
    }

    // Returns the first entries of a spy's record, with a line for each.
    function entries(list, what, shown) {
        if (list.length === 0) return "no " + what + "s";
        var parts = map(filter(list, function (entry, index) { return index < 20; }), function (entry, index) {
            return "  " + (index + 1) + ": " + shown(entry);
        });
        if (list.length > parts.length) parts = concat(parts, ["  …"]);
        return list.length + " " + what + (list.length === 1 ? "" : "s") + ":\n" + language.join(parts, "\n");
    }

    function calls(list) {
        return entries(list, "call", parameters);
    }

    function results(list) {
        return entries(list, "call", function (result) {
            if (result.type === "throw") return "threw " + line(result.value);
            return result.type === "return" ? "returned " + line(result.value) : "has not returned yet";
        });
    }

    // Returns a list with a line for each of its first elements.
    function overview(list) {
        if (!isArray(list)) return text(list);
        var parts = map(filter(list, function (element, index) { return index < 20; }), function (element) {
            return "  " + line(element) + ",";
        });
        if (list.length > parts.length) parts = concat(parts, ["  …"]);
        return parts.length ? "[\n" + language.join(parts, "\n") + "\n]" : "[]";
    }

    return {
        text: text, lines: lines, overview: overview, line: line, parameters: parameters, calls: calls, results: results,
        cut: function (whole) { return cut(whole, longest); }
    };
})
