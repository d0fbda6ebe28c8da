extension RuntimeHelper {
    /// `XML`, `XMLList` and the functions that translated scripts call.
    static let xmlConstructorsText = #"""
            function textOf(value) { return value === undefined || value === null ? "" : String(value); }

            function toXML(value) {
                var self = state(value);
                if (self) {
                    if (self.nodes.length === 1) return single(self.nodes[0]);
                    throw new TypeError("XML: a list of " + self.nodes.length + " elements is not XML");
                }
                var text = textOf(value);
                if (!/^\s*</.test(text)) return single(tree.node("text", null, text));
                var nodes = tree.read(text.trim());
                if (nodes.length !== 1) {
                    if (nodes.length === 0) return single(tree.node("text", null, ""));
                    throw new TypeError("XML: one element is expected, and the text has " + nodes.length);
                }
                return single(nodes[0]);
            }

            function XML(value) {
                var result = toXML(value);
                return new.target && state(value) ? single(tree.copy(state(result).nodes[0])) : result;
            }
            function XMLList(value) {
                var self = state(value);
                if (self) return self.isList && !new.target ? value : list(self.nodes.slice());
                var text = textOf(value).trim();
                if (text.slice(0, 2) === "<>" && text.slice(-3) === "</>") text = text.slice(2, -3);
                return list(text === "" ? [] : tree.read(text));
            }
            [XML, XMLList].forEach(function (constructor) {
                Object.keys(methods).concat(Object.keys(listMethods)).forEach(function (key) {
                    define(constructor.prototype, key, function () {
                        var owner = state(this);
                        if (!owner) throw new TypeError("XML." + key + "() was called on something else");
                        return call({ owner: owner, key: key }, Array.prototype.slice.call(arguments));
                    });
                });
            });
            Object.keys(tree.settings).forEach(function (key) {
                Object.defineProperty(XML, key, {
                    __proto__: null,
                    get: function () { return tree.settings[key]; }, set: function (value) { tree.settings[key] = value; },
                    enumerable: true
                });
            });
            var defaults = Object.assign({}, tree.settings);
            define(XML, "defaultSettings", function () { return Object.assign({}, defaults); });
            define(XML, "settings", function () { return Object.assign({}, tree.settings); });
            define(XML, "setSettings", function (values) {
                values = values || defaults;
                Object.keys(defaults).forEach(function (key) { if (typeof values[key] === typeof defaults[key]) tree.settings[key] = values[key]; });
            });

            define(global, "XML", XML);
            define(global, "XMLList", XMLList);
            define(global, "QName", tree.QName);
            define(global, "Namespace", tree.Namespace);
            define(global, "isXMLName", function (value) { return /^[A-Za-z_\u00C0-\uFFFD][\w.\-\u00B7-\uFFFD]*$/.test(String(value)); });

            define(rhino, "xml", function (text) {
                text = text.trim();
                if (text.slice(0, 2) === "<>") return XMLList(text);
                var nodes = tree.read(text);
                return nodes.length === 1 ? single(nodes[0]) : single(tree.node("text", null, ""));
            });
            define(rhino, "text", function (value) {
                var self = state(value);
                if (!self) return tree.escapeText(String(value));
                return self.nodes.map(function (node) { return tree.writeAlone(node, false); }).join("");
            });
            define(rhino, "attribute", function (value) { return "\"" + tree.escapeAttribute(String(value)) + "\""; });
            define(rhino, "name", function (value) { return value instanceof tree.QName ? value.localName : String(value); });
            define(rhino, "key", function (value) {
                return value instanceof tree.QName ? "{" + (value.uri === null ? "*" : value.uri) + "}" + value.localName : String(value);
            });
            define(rhino, "qualified", function (namespace, name) {
                return "{" + (namespace === "*" ? "*" : new tree.Namespace(namespace).uri) + "}" + name;
            });
            define(rhino, "type", function (value) { return state(value) ? "xml" : typeof value; });
            define(rhino, "add", function (one, other) {
                return state(one) && state(other) ? list(state(one).nodes.concat(state(other).nodes)) : one + other;
            });
            define(rhino, "equal", function (one, other) {
                var first = state(one), second = state(other);
                if (first && second) {
                    if (isSimple(first) && isSimple(second)) return toText(first) === toText(second);
                    return first.nodes.length === second.nodes.length
                        && first.nodes.every(function (node, index) { return tree.equal(node, second.nodes[index]); });
                }
                var self = first || second;
                var value = first ? other : one;
                if (self && (value === undefined || value === null)) return value === undefined && self.isList && !self.nodes.length;
                return one == other;
            });
            // What names in a filter mean: elements of the item; those that nothing declares, too when it has none.
            define(rhino, "scope", function (value, unknown) {
                unknown = unknown.split(" ");
                return new Proxy({}, {
                    __proto__: null,
                    has: function (target, key) {
                        if (typeof key !== "string") return false;
                        if (has(state(value), key)) return true;
                        // Every scope has hasOwnProperty and toString; those of the item are meant.
                        return unknown.indexOf(key) >= 0 && (!(key in global) || key in Object.prototype);
                    },
                    get: function (target, key) { return typeof key === "symbol" ? undefined : value[key]; },
                    set: function (target, key, to) { return Reflect.set(value, key, to); }
                });
            });
            define(rhino, "namespace", function () { return tree.defaultNamespace; });
            define(rhino, "setNamespace", function (value) {
                tree.defaultNamespace = value instanceof tree.Namespace ? value.uri : String(value);
            });
        })(this, this.__rhino, this.__rhino.xmlTree);
        """#
}
