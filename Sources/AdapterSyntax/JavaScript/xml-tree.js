// The nodes and names of XML, and how selectors match them.
(function (global, rhino) {
    "use strict";
    if (rhino.xmlTree) return;
    var tree = {};
    Object.defineProperty(rhino, "xmlTree", { __proto__: null, value: tree });

    // Each scope has its own settings and default namespace. `rhino.record`, if there is one, returns those of the scope that runs, which
    // `fresh` makes.
    function fresh() {
        return {
            defaultNamespace: "",
            settings: {
                ignoreComments: true, ignoreProcessingInstructions: true, ignoreWhitespace: true, prettyPrinting: true,
                prettyIndent: 2
            }
        };
    }
    var alone = fresh();
    function record() { return rhino.record ? rhino.record(fresh) : alone; }
    tree.defaults = Object.freeze(fresh().settings);
    Object.defineProperty(tree, "settings", { __proto__: null, get: function () { return record().settings; } });
    Object.defineProperty(tree, "defaultNamespace", {
        __proto__: null, get: function () { return record().defaultNamespace; },
        set: function (uri) { record().defaultNamespace = uri; }
    });

    function Namespace(prefix, uri) {
        if (!(this instanceof Namespace)) return new Namespace(prefix, uri);
        if (arguments.length < 2) {
            uri = prefix;
            prefix = undefined;
        }
        if (uri instanceof Namespace) {
            this.prefix = uri.prefix;
            this.uri = uri.uri;
        } else {
            this.uri = uri === undefined ? "" : uri instanceof QName ? uri.uri : String(uri);
            this.prefix = this.uri === "" ? "" : prefix === undefined ? undefined : String(prefix);
        }
    }
    Namespace.prototype.toString = function () { return this.uri; };

    function QName(namespace, name) {
        if (!(this instanceof QName)) return new QName(namespace, name);
        if (arguments.length < 2) {
            name = namespace;
            namespace = undefined;
        }
        if (name instanceof QName && namespace === undefined) {
            this.uri = name.uri;
            this.localName = name.localName;
            return;
        }
        this.localName = name instanceof QName ? name.localName : name === undefined ? "" : String(name);
        this.uri = namespace === null || this.localName === "*" && namespace === undefined ? null
            : namespace === undefined ? tree.defaultNamespace : new Namespace(namespace).uri;
    }
    QName.prototype.toString = function () {
        return this.uri === "" ? this.localName : (this.uri === null ? "*" : this.uri) + "::" + this.localName;
    };
    tree.Namespace = Namespace;
    tree.QName = QName;

    // A node: kind, and by kind name {uri, local, prefix}, value, attributes, children, namespaces, parent.
    tree.node = function (kind, name, value) {
        var node = { kind: kind, name: name, value: value, parent: null, proxy: undefined };
        if (kind === "element") {
            node.attributes = [];
            node.children = [];
            node.namespaces = [];
        }
        return node;
    };

    tree.copy = function (node) {
        var result = tree.node(node.kind, node.name && Object.assign({}, node.name), node.value);
        if (node.kind === "element") {
            result.namespaces = node.namespaces.map(function (each) { return Object.assign({}, each); });
            ["attributes", "children"].forEach(function (key) {
                node[key].forEach(function (child) { tree.append(result, tree.copy(child), key); });
            });
        }
        return result;
    };

    tree.append = function (parent, child, key) {
        child.parent = parent;
        parent[key || "children"].push(child);
    };

    tree.remove = function (node) {
        if (!node.parent) return;
        var siblings = node.kind === "attribute" ? node.parent.attributes : node.parent.children;
        siblings.splice(siblings.indexOf(node), 1);
        node.parent = null;
    };

    // "@name", "{uri}name", "*" and so on as what they ask for.
    tree.selector = function (key) {
        var result = { isAttribute: false, uri: undefined, local: key };
        if (key[0] === "@") {
            result.isAttribute = true;
            result.local = key = key.slice(1);
        }
        if (key[0] === "{") {
            var end = key.indexOf("}");
            result.uri = key.slice(1, end) === "*" ? null : key.slice(1, end);
            result.local = key.slice(end + 1);
        } else if (key === "*") {
            result.uri = null;
        } else {
            result.uri = result.isAttribute ? "" : tree.defaultNamespace;
        }
        return result;
    };

    tree.matches = function (node, selector) {
        if (selector.local !== "*") {
            if (!node.name || node.name.local !== selector.local || node.kind === "processing-instruction") return false;
        } else if (selector.uri !== null && !node.name) {
            return false;
        }
        return selector.uri === null || (node.name && node.name.uri === selector.uri);
    };

    tree.children = function (node, selector) {
        if (node.kind !== "element") return [];
        return (selector.isAttribute ? node.attributes : node.children).filter(function (child) {
            return tree.matches(child, selector);
        });
    };

    tree.descendants = function (node, selector) {
        var result = [];
        (function visit(node) {
            if (node.kind !== "element") return;
            if (selector.isAttribute) result.push.apply(result, tree.children(node, selector));
            node.children.forEach(function (child) {
                if (!selector.isAttribute && tree.matches(child, selector)) result.push(child);
                visit(child);
            });
        })(node);
        return result;
    };

    tree.hasSimpleContent = function (node) {
        if (node.kind === "comment" || node.kind === "processing-instruction") return false;
        return node.kind !== "element" || !node.children.some(function (child) { return child.kind === "element"; });
    };

    // The character data of a node without elements in it.
    tree.text = function (node) {
        if (node.kind !== "element") return node.value;
        return node.children.filter(function (child) { return child.kind === "text"; })
            .map(function (child) { return child.value; }).join("");
    };

    // The namespace that a prefix means at a node; undefined when none.
    tree.uri = function (node, prefix) {
        for (; node; node = node.parent) {
            for (var index = 0; index < node.namespaces.length; index++) {
                if (node.namespaces[index].prefix === prefix) return node.namespaces[index].uri;
            }
        }
        return prefix === "xml" ? "http://www.w3.org/XML/1998/namespace" : undefined;
    };

    tree.equal = function (one, other) {
        function sameName(one, other) {
            return one === other || one && other && one.uri === other.uri && one.local === other.local;
        }
        if (one.kind !== other.kind || !sameName(one.name, other.name)) return false;
        if (one.kind !== "element") return one.value === other.value;
        return one.attributes.length === other.attributes.length && one.children.length === other.children.length
            && one.attributes.every(function (attribute) {
                return other.attributes.some(function (each) { return tree.equal(attribute, each); });
            }) && one.children.every(function (child, index) { return tree.equal(child, other.children[index]); });
    };
})(this, this.__rhino);
