// Parses XML into nodes.
(function (tree) {
    "use strict";
    if (tree.read) return;
    var entities = { amp: "&", lt: "<", gt: ">", quot: "\"", apos: "'" };

    function fail(message) { throw new TypeError("XML: " + message); }

    function unescape(text) {
        if (text.indexOf("&") < 0) return text;
        return text.replace(/&(#x[0-9a-fA-F]+|#[0-9]+|[A-Za-z]+);?|&/g, function (whole, name) {
            if (name && whole[whole.length - 1] === ";") {
                if (name[0] === "#") {
                    return String.fromCodePoint(name[1] === "x" ? parseInt(name.slice(2), 16) : +name.slice(1));
                }
                if (Object.hasOwn(entities, name)) return entities[name];
            }
            fail("\"" + whole + "\" is not an entity; write &amp; for an ampersand");
        });
    }

    function split(name) {
        var colon = name.indexOf(":");
        return colon < 0 ? { prefix: "", local: name }
            : { prefix: name.slice(0, colon), local: name.slice(colon + 1) };
    }

    function resolve(element, name, isAttribute) {
        var parts = split(name);
        var uri = isAttribute && parts.prefix === "" ? "" : tree.uri(element, parts.prefix);
        if (uri === undefined) {
            if (parts.prefix !== "") fail("the prefix \"" + parts.prefix + "\" of \"" + name + "\" is not declared");
            uri = tree.defaultNamespace;
        }
        parts.uri = uri;
        return parts;
    }

    var tag = /<([^\s<>\/=!?"']+)((?:\s+[^\s<>\/="']+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/y;
    var attribute = /([^\s<>\/="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

    function open(parent, name, attributes) {
        var element = tree.node("element", null);
        element.parent = parent;
        var plain = [];
        attributes.replace(attribute, function (whole, key, double, single) {
            var value = unescape((double === undefined ? single : double).replace(/[\t\n]/g, " "));
            if (key === "xmlns" || key.slice(0, 6) === "xmlns:") {
                element.namespaces.push({ prefix: key.slice(6), uri: value });
            } else {
                plain.push([key, value]);
            }
        });
        element.name = resolve(element, name, false);
        plain.forEach(function (pair) {
            var node = tree.node("attribute", resolve(element, pair[0], true), pair[1]);
            if (element.attributes.some(function (each) {
                return each.name.local === node.name.local && each.name.uri === node.name.uri;
            })) fail("the attribute \"" + pair[0] + "\" occurs twice in <" + name + ">");
            tree.append(element, node, "attributes");
        });
        return element;
    }

    // The nodes in an XML string; blanks between them are left out unless ignoreWhitespace is off.
    tree.read = function (text) {
        // XML knows one end of lines.
        text = text.replace(/\r\n?/g, "\n");
        var root = tree.node("element", { uri: "", local: "", prefix: "" });
        var current = root;
        var names = [];
        var position = 0;
        function addText(value, isVerbatim) {
            if (value === "" || !isVerbatim && tree.settings.ignoreWhitespace && /^\s*$/.test(value)) return;
            var last = current.children[current.children.length - 1];
            if (last && last.kind === "text") last.value += value;
            else tree.append(current, tree.node("text", null, value));
        }
        function until(end, skip, what) {
            var index = text.indexOf(end, position + skip);
            if (index < 0) fail(what + " has no end: expected " + end);
            var content = text.slice(position + skip, index);
            position = index + end.length;
            return content;
        }
        while (position < text.length) {
            var next = text.indexOf("<", position);
            if (next < 0) next = text.length;
            if (next > position) addText(unescape(text.slice(position, next)));
            position = next;
            if (position >= text.length) break;
            if (text.startsWith("<!--", position)) {
                var comment = until("-->", 4, "a comment");
                if (!tree.settings.ignoreComments) tree.append(current, tree.node("comment", null, comment));
            } else if (text.startsWith("<![CDATA[", position)) {
                addText(until("]]>", 9, "CDATA"), true);
            } else if (text.startsWith("<?", position)) {
                var parts = /^(\S+)\s*([^]*)$/.exec(until("?>", 2, "a processing instruction"));
                if (!tree.settings.ignoreProcessingInstructions && parts && parts[1] !== "xml") {
                    tree.append(current, tree.node("processing-instruction",
                        { uri: "", local: parts[1], prefix: "" }, parts[2]));
                }
            } else if (text.startsWith("<!DOCTYPE", position)) {
                until(">", 9, "DOCTYPE");
            } else if (text.startsWith("</", position)) {
                var name = until(">", 2, "a closing tag").trim();
                if (current === root) fail("</" + name + "> closes nothing");
                if (name !== "" && name !== names[names.length - 1]) {
                    fail("</" + name + "> does not close <" + names[names.length - 1] + ">");
                }
                names.pop();
                current = current.parent;
            } else {
                tag.lastIndex = position;
                var match = tag.exec(text);
                if (!match) fail("no tag: " + text.slice(position, position + 40));
                position = tag.lastIndex;
                var element = open(current === root ? null : current, match[1], match[2]);
                tree.append(current, element);
                if (!match[3]) {
                    names.push(match[1]);
                    current = element;
                }
            }
        }
        if (current !== root) fail("<" + names[names.length - 1] + "> has no end");
        root.children.forEach(function (child) { child.parent = null; });
        return root.children;
    };
})(this.__rhino.xmlTree);
