extension RuntimeHelper {
    /// What calling methods does.
    static let xmlMethodsText = #"""
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
            // XML objects give them to scripts, and the scope's image cannot reach them otherwise.
            if (typeof __captured === "function") __captured(function () { return [methods, listMethods]; });
        """#
}
