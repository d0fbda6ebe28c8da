// Writes nodes as XML.
(function (tree) {
    "use strict";
    if (tree.write) return;

    tree.escapeText = function (text) {
        return text.replace(/[&<>]/g, function (sign) { return sign === "&" ? "&amp;" : sign === "<" ? "&lt;" : "&gt;"; });
    };
    tree.escapeAttribute = function (text) {
        return text.replace(/[&<"\n\r\t]/g, function (sign) {
            return { "&": "&amp;", "<": "&lt;", "\"": "&quot;", "\n": "&#xA;", "\r": "&#xD;", "\t": "&#x9;" }[sign];
        });
    };

    function lookUp(scope, prefix) {
        for (var index = scope.length - 1; index >= 0; index--) if (scope[index].prefix === prefix) return scope[index].uri;
        return prefix === "xml" ? "http://www.w3.org/XML/1998/namespace" : prefix === "" ? "" : undefined;
    }

    // The namespaces that a node inherits from those around it, outermost first.
    function inherited(node) {
        var result = [];
        for (var each = node.parent; each; each = each.parent) result = each.namespaces.concat(result);
        return result;
    }

    function prefixFor(name, scope, declared, isAttribute) {
        if (name.uri === "" ) {
            if (!isAttribute && lookUp(scope, "") !== "") declare("", "");
            return "";
        }
        function declare(prefix, uri) {
            var binding = { prefix: prefix, uri: uri };
            declared.push(binding);
            scope.push(binding);
        }
        var prefix = name.prefix;
        if (prefix !== undefined && (prefix !== "" || !isAttribute) && lookUp(scope, prefix) === name.uri) return prefix;
        for (var index = scope.length - 1; index >= 0; index--) {
            var known = scope[index];
            if (known.uri === name.uri && (known.prefix !== "" || !isAttribute)
                && lookUp(scope, known.prefix) === name.uri) return known.prefix;
        }
        if (prefix === undefined || prefix === "" && isAttribute
            || declared.some(function (each) { return each.prefix === prefix; })) {
            prefix = isAttribute ? "ns" : "";
            for (var number = 1; isAttribute && lookUp(scope, prefix) !== undefined; number++) prefix = "ns" + number;
        }
        declare(prefix, name.uri);
        return prefix;
    }

    function qualified(prefix, local) { return prefix === "" ? local : prefix + ":" + local; }

    function write(node, scope, indent, isPretty) {
        var blanks = isPretty ? " ".repeat(indent) : "";
        switch (node.kind) {
        case "text": return blanks + tree.escapeText(isPretty ? node.value.trim() : node.value);
        case "attribute": return blanks + tree.escapeAttribute(node.value);
        case "comment": return blanks + "<!--" + node.value + "-->";
        case "processing-instruction": return blanks + "<?" + node.name.local + " " + node.value + "?>";
        }
        scope = scope.slice();
        var declared = node.namespaces.filter(function (each) { return lookUp(scope, each.prefix) !== each.uri; });
        scope.push.apply(scope, declared);
        var name = qualified(prefixFor(node.name, scope, declared, false), node.name.local);
        var attributes = node.attributes.map(function (each) {
            return " " + qualified(prefixFor(each.name, scope, declared, true), each.name.local)
                + "=\"" + tree.escapeAttribute(each.value) + "\"";
        }).join("");
        var namespaces = declared.map(function (each) {
            return " xmlns" + (each.prefix === "" ? "" : ":" + each.prefix) + "=\"" + tree.escapeAttribute(each.uri) + "\"";
        }).join("");
        var start = blanks + "<" + name + namespaces + attributes;
        if (node.children.length === 0) return start + "/>";
        var isBroken = isPretty && (node.children.length > 1 || node.children[0].kind !== "text");
        var inner = isBroken ? indent + tree.settings.prettyIndent : 0;
        var parts = node.children.map(function (child) { return write(child, scope, inner, isBroken); });
        // Character data that is the only child is trimmed too.
        if (isPretty && !isBroken) parts = parts.map(function (part) { return part.trim(); });
        return isBroken ? start + ">\n" + parts.join("\n") + "\n" + blanks + "</" + name + ">"
            : start + ">" + parts.join("") + "</" + name + ">";
    }

    tree.write = function (node, isPretty) { return write(node, inherited(node).slice(), 0, isPretty, true); };

    // With the namespaces that it takes from around it declared in it.
    tree.writeAlone = function (node, isPretty) {
        if (node.kind !== "element" || !node.parent) return write(node, [], 0, isPretty);
        var used = Object.create(null);
        (function visit(each) {
            [each].concat(each.attributes).forEach(function (named) {
                if (named.name.uri !== "") used[named.name.prefix] = true;
            });
            each.children.forEach(function (child) { if (child.kind === "element") visit(child); });
        })(node);
        var copy = tree.copy(node);
        inherited(node).reverse().forEach(function (each) {
            if (used[each.prefix] && !copy.namespaces.some(function (own) { return own.prefix === each.prefix; })) {
                copy.namespaces.push(each);
            }
        });
        return write(copy, [], 0, isPretty);
    };
})(this.__rhino.xmlTree);
