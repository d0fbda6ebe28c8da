extension RuntimeHelper {
    /// XML objects as scripts see them: one function, in three parts.
    static let xmlObjectText = [xmlPropertiesText, xmlMethodsText, xmlConstructorsText].joined(separator: "\n")

    /// What looking up and assigning properties does.
    private static let xmlPropertiesText = #"""
        (function (global, rhino, tree) {
            "use strict";
            if (rhino.xml) return;
            var states = new WeakMap();

            function define(target, name, value) {
                Object.defineProperty(target, name, { __proto__: null, value: value, writable: true, configurable: true });
            }

            // The state of an XML object: its nodes; for a list, what it was looked up on and as what. undefined for others.
            function state(value) { return typeof value === "function" ? states.get(value) : undefined; }

            function make(nodes, isList, owner, key) {
                var self = { nodes: nodes, isList: isList, owner: owner, key: key };
                // Something callable, so that "x.text()" can find out that it is a call.
                self.proxy = new Proxy(() => {}, traps(self));
                states.set(self.proxy, self);
                return self.proxy;
            }
            function single(node) {
                if (!node.proxy) node.proxy = make([node], false);
                return node.proxy;
            }
            function list(nodes, owner, key) { return make(nodes, true, owner, key); }

            function isIndex(key) { return /^(0|[1-9]\d*)$/.test(key); }

            function gather(self, find) {
                return Array.prototype.concat.apply([], self.nodes.map(find));
            }
            function select(self, key) {
                if (key.slice(0, 2) === "..") {
                    var below = tree.selector(key.slice(2));
                    return gather(self, function (node) { return tree.descendants(node, below); });
                }
                var selector = tree.selector(key);
                return gather(self, function (node) { return tree.children(node, selector); });
            }

            function isSimple(self) {
                if (self.nodes.length === 1) return tree.hasSimpleContent(self.nodes[0]);
                return !self.nodes.some(function (node) { return node.kind === "element"; });
            }
            function toXMLString(self) {
                return self.nodes.map(function (node) { return tree.writeAlone(node, tree.settings.prettyPrinting); }).join("\n");
            }
            function toText(self) {
                return isSimple(self) ? self.nodes.map(tree.text).join("") : toXMLString(self);
            }

            // Copies of the nodes that a value becomes inside of an element.
            function nodesOf(value) {
                var self = state(value);
                if (self) {
                    return self.nodes.map(function (node) {
                        return node.kind === "attribute" ? tree.node("text", null, node.value) : tree.copy(node);
                    });
                }
                var text = value === undefined || value === null ? "" : String(value);
                return text === "" ? [] : [tree.node("text", null, text)];
            }
            function setChildren(node, children) {
                node.children.slice().forEach(tree.remove);
                children.forEach(function (child) { tree.append(node, child); });
            }
            function insert(parent, index, nodes) {
                nodes.forEach(function (node) { node.parent = parent; });
                parent.children.splice.apply(parent.children, [index, 0].concat(nodes));
            }
            function newElement(selector) {
                return tree.node("element", { uri: selector.uri || "", local: selector.local, prefix: undefined });
            }

            function putAttribute(node, selector, value) {
                var self = state(value);
                var text = self ? self.nodes.map(tree.text).join(" ") : String(value);
                var found = tree.children(node, selector);
                found.slice(1).forEach(tree.remove);
                if (found.length) found[0].value = text;
                else {
                    var name = { uri: selector.uri || "", local: selector.local, prefix: selector.uri ? undefined : "" };
                    tree.append(node, tree.node("attribute", name, text), "attributes");
                }
            }
            function put(node, key, value) {
                if (node.kind !== "element") return;
                var selector = tree.selector(key);
                if (selector.isAttribute) return putAttribute(node, selector, value);
                if (selector.local === "*") return setChildren(node, nodesOf(value));
                var found = tree.children(node, selector);
                found.slice(1).forEach(tree.remove);
                var self = state(value);
                if (self && self.nodes.every(function (each) { return each.kind !== "attribute" && each.kind !== "text"; })) {
                    var index = found.length ? node.children.indexOf(found[0]) : node.children.length;
                    var nodes = nodesOf(value);
                    if (found.length) tree.remove(found[0]);
                    return insert(node, index, nodes);
                }
                if (!found.length) {
                    found = [newElement(selector)];
                    tree.append(node, found[0]);
                }
                setChildren(found[0], nodesOf(self ? toText(self) : value));
            }

            // The element behind a list that was looked up and found nothing: it is made.
            function resolve(self) {
                if (self.nodes.length === 1) return self.nodes[0];
                if (self.nodes.length > 1) {
                    throw new TypeError("XML: a property cannot be assigned to a list of " + self.nodes.length + " elements");
                }
                var parent = self.owner && resolve(self.owner);
                if (!parent || parent.kind !== "element" || !self.key || /^(@|\.\.)|\*/.test(self.key)) return null;
                var made = newElement(tree.selector(self.key));
                tree.append(parent, made);
                self.nodes.push(made);
                return made;
            }
            function putIndex(self, index, value) {
                if (index < self.nodes.length) {
                    var old = self.nodes[index];
                    if (old.kind === "attribute") old.value = String(value);
                    else if (!state(value) && old.kind === "element") setChildren(old, nodesOf(value));
                    else {
                        var nodes = nodesOf(value);
                        if (old.parent) {
                            var place = old.parent.children.indexOf(old);
                            insert(old.parent, place, nodes);
                            tree.remove(old);
                        }
                        self.nodes.splice.apply(self.nodes, [index, 1].concat(nodes));
                    }
                    return;
                }
                var parent = self.owner && resolve(self.owner);
                var added = nodesOf(value);
                if (parent && self.key && !state(value)) {
                    added = [newElement(tree.selector(self.key))];
                    setChildren(added[0], nodesOf(value));
                }
                if (parent) added.forEach(function (node) { tree.append(parent, node); });
                self.nodes.push.apply(self.nodes, added);
            }

            function item(self, key) {
                var node = self.nodes[key];
                return node && single(node);
            }
            function has(self, key) {
                return isIndex(key) ? +key < self.nodes.length : select(self, key).length > 0;
            }

            function traps(self) {
                return {
                    __proto__: null,
                    get: function (target, key) {
                        if (key === Symbol.toPrimitive) return function () { return toText(self); };
                        if (key === Symbol.iterator) {
                            return function () { return self.nodes.map(single)[Symbol.iterator](); };
                        }
                        if (typeof key === "symbol") return undefined;
                        if (key === "toJSON") return function () { return toText(self); };
                        if (key === "()") return function (condition) {
                            return list(self.nodes.filter(function (node) { return condition(single(node)); }));
                        };
                        if (isIndex(key)) return item(self, key);
                        return list(select(self, key), self, key);
                    },
                    set: function (target, key, value) {
                        if (typeof key === "symbol") return false;
                        if (isIndex(key)) {
                            putIndex(self, +key, value);
                        } else {
                            var node = resolve(self);
                            if (node) put(node, key, value);
                        }
                        return true;
                    },
                    has: function (target, key) { return typeof key === "string" && has(self, key); },
                    deleteProperty: function (target, key) {
                        if (typeof key === "symbol") return true;
                        if (isIndex(key)) {
                            if (self.nodes[key]) tree.remove(self.nodes.splice(+key, 1)[0]);
                        } else {
                            select(self, key).forEach(tree.remove);
                        }
                        return true;
                    },
                    ownKeys: function () { return self.nodes.map(function (node, index) { return String(index); }); },
                    getOwnPropertyDescriptor: function (target, key) {
                        if (typeof key === "symbol" || !has(self, key)) return undefined;
                        return {
                            __proto__: null, value: self.proxy[key], writable: true, enumerable: isIndex(key),
                            configurable: true
                        };
                    },
                    getPrototypeOf: function () { return self.isList ? XMLList.prototype : XML.prototype; },
                    apply: function (target, receiver, values) { return call(self, values); }
                };
            }
        """#
}
