// XML objects as scripts see them.
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

    // ---- Calling methods

    function call(self, values) {
        if (!self.owner) throw new TypeError("XML is not a function");
        var owner = self.owner;
        var method = listMethods[self.key];
        if (method) return method.apply(owner, values);
        method = methods[self.key];
        if (method) {
            if (owner.nodes.length !== 1) {
                throw new TypeError("XML: " + self.key + "() needs one element, and the list has " + owner.nodes.length);
            }
            return method.apply(owner, [owner.nodes[0]].concat(values));
        }
        if (isSimple(owner) && typeof String.prototype[self.key] === "function") {
            var text = toText(owner);
            return text[self.key].apply(text, values);
        }
        throw new TypeError("XML has no method " + self.key + "()");
    }

    function name(value) {
        if (value === undefined) return "*";
        return rhino.key(value);
    }
    function ofKind(self, kind) {
        return list(gather(self, function (node) {
            return node.kind === "element" ? node.children.filter(function (each) { return each.kind === kind; }) : [];
        }));
    }

    var listMethods = {
        length: function () { return this.nodes.length; },
        toString: function () { return toText(this); },
        toXMLString: function () { return toXMLString(this); },
        valueOf: function () { return this.proxy; },
        children: function () { return list(select(this, "{*}*"), this, "*"); },
        child: function (key) {
            if (!isIndex(String(key))) return this.proxy[name(key)];
            return list(gather(this, function (node) { return node.children && node.children[key] || []; }));
        },
        attribute: function (key) { return this.proxy["@" + name(key)]; },
        attributes: function () { return this.proxy["@*"]; },
        descendants: function (key) { return this.proxy[".." + name(key)]; },
        elements: function (key) {
            var selector = tree.selector(name(key));
            return list(gather(this, function (node) {
                return tree.children(node, selector).filter(function (each) { return each.kind === "element"; });
            }), this, name(key));
        },
        text: function () { return ofKind(this, "text"); },
        comments: function () { return ofKind(this, "comment"); },
        processingInstructions: function () { return ofKind(this, "processing-instruction"); },
        copy: function () {
            var copies = this.nodes.map(tree.copy);
            return this.isList ? list(copies) : single(copies[0]);
        },
        contains: function (value) {
            return this.nodes.some(function (node) { return rhino.equal(single(node), value); });
        },
        hasOwnProperty: function (key) { return has(this, String(rhino.key(key))); },
        propertyIsEnumerable: function (key) { return isIndex(String(key)) && has(this, String(key)); },
        hasSimpleContent: function () { return isSimple(this); },
        hasComplexContent: function () {
            return this.nodes.length === 1 ? this.nodes[0].kind === "element" && !isSimple(this) : !isSimple(this);
        },
        parent: function () {
            var parents = this.nodes.map(function (node) { return node.parent; });
            if (!parents.length || parents.some(function (each) { return each !== parents[0]; })) return undefined;
            return parents[0] ? single(parents[0]) : this.isList ? undefined : null;
        },
        normalize: function () {
            this.nodes.forEach(function normalize(node) {
                if (node.kind !== "element") return;
                node.children.slice().forEach(function (child, index, all) {
                    var before = node.children[node.children.indexOf(child) - 1];
                    if (child.kind === "text" && (child.value === "" || before && before.kind === "text")) {
                        if (before) before.value += child.value;
                        tree.remove(child);
                    } else {
                        normalize(child);
                    }
                });
            });
            return this.proxy;
        }
    };

    function inScope(node) {
        var result = [];
        for (var each = node; each; each = each.parent) {
            (each.namespaces || []).forEach(function (own) {
                if (!result.some(function (known) { return known.prefix === own.prefix; })) result.push(own);
            });
        }
        return result;
    }
    function around(self, node, reference, value, offset) {
        if (reference === null) insert(node, offset ? 0 : node.children.length, nodesOf(value));
        else {
            var other = state(reference) && state(reference).nodes[0];
            var index = node.children.indexOf(other);
            if (index < 0) return undefined;
            insert(node, index + offset, nodesOf(value));
        }
        return self.proxy;
    }
    function asNamespace(binding) { return new tree.Namespace(binding.prefix, binding.uri); }

    // Those of single nodes: the node is the first argument, the object is this.
    var methods = {
        appendChild: function (node, value) {
            if (node.kind === "element") insert(node, node.children.length, nodesOf(value));
            return this.proxy;
        },
        prependChild: function (node, value) {
            insert(node, 0, nodesOf(value));
            return this.proxy;
        },
        insertChildAfter: function (node, reference, value) { return around(this, node, reference, value, 1); },
        insertChildBefore: function (node, reference, value) { return around(this, node, reference, value, 0); },
        setChildren: function (node, value) {
            setChildren(node, nodesOf(value));
            return this.proxy;
        },
        replace: function (node, key, value) {
            var found = isIndex(String(key)) ? [node.children[key]] : tree.children(node, tree.selector(name(key)));
            if (!found[0]) return this.proxy;
            var index = node.children.indexOf(found[0]);
            found.forEach(tree.remove);
            insert(node, index, nodesOf(value));
            return this.proxy;
        },
        childIndex: function (node) {
            return node.parent && node.kind !== "attribute" ? node.parent.children.indexOf(node) : NaN;
        },
        nodeKind: function (node) { return node.kind; },
        name: function (node) { return node.name ? new tree.QName(node.name.uri, node.name.local) : null; },
        localName: function (node) { return node.name ? node.name.local : null; },
        namespace: function (node, prefix) {
            if (prefix === undefined) return node.name ? asNamespace(node.name) : null;
            var found = inScope(node).find(function (each) { return each.prefix === String(prefix); });
            return found && asNamespace(found);
        },
        setName: function (node, value) {
            if (!node.name) return;
            if (value instanceof tree.QName) node.name = { uri: value.uri || "", local: value.localName, prefix: undefined };
            else node.name = { uri: tree.defaultNamespace, local: String(value), prefix: "" };
        },
        setLocalName: function (node, value) {
            if (node.name) node.name.local = value instanceof tree.QName ? value.localName : String(value);
        },
        setNamespace: function (node, value) {
            var namespace = new tree.Namespace(value);
            if (node.name) node.name = { uri: namespace.uri, local: node.name.local, prefix: namespace.prefix };
        },
        addNamespace: function (node, value) {
            var namespace = value instanceof tree.Namespace ? value : new tree.Namespace(value);
            if (node.kind !== "element" || namespace.prefix === undefined) return this.proxy;
            node.namespaces = node.namespaces.filter(function (each) { return each.prefix !== namespace.prefix; });
            node.namespaces.push({ prefix: namespace.prefix, uri: namespace.uri });
            return this.proxy;
        },
        removeNamespace: function (node, value) {
            var uri = new tree.Namespace(value).uri;
            node.namespaces = node.namespaces.filter(function (each) { return each.uri !== uri; });
            return this.proxy;
        },
        inScopeNamespaces: function (node) { return inScope(node).map(asNamespace); },
        namespaceDeclarations: function (node) { return (node.namespaces || []).map(asNamespace); }
    };

    Object.setPrototypeOf(listMethods, null);
    Object.setPrototypeOf(methods, null);

    // ---- `XML`, `XMLList` and the functions that translated scripts call

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
            throw new TypeError("XML: expected one element, and the string has " + nodes.length);
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
    var defaults = tree.defaults;
    Object.keys(defaults).forEach(function (key) {
        Object.defineProperty(XML, key, {
            __proto__: null,
            get: function () { return tree.settings[key]; }, set: function (value) { tree.settings[key] = value; },
            enumerable: true
        });
    });
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
    // The names in a filter: elements of the item; a name that nothing declares is one even if the item has no such element.
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
