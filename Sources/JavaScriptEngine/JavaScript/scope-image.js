// Makes images of global scopes and compares scopes with them; see ScopeImage.swift. It runs in a new global scope before any other script
// and returns the functions `begin`, `probe`, `take`, `difference`, `isUnchanged` and `makeCode`.
//
// It keeps the functions of the language that it uses, since scripts may replace them, and has lists without a prototype, since
// scripts may add setters to `Array.prototype`.
(function (global, look, sloppyFunctions) {
    "use strict";
    var ownKeys = Reflect.ownKeys, descriptor = Object.getOwnPropertyDescriptor, define = Object.defineProperty;
    var prototypeOf = Object.getPrototypeOf, setPrototypeOf = Object.setPrototypeOf, is = Object.is, hasOwn = Object.hasOwn;
    var preventExtensions = Object.preventExtensions, isExtensible = Object.isExtensible, freeze = Object.freeze, isFrozen = Object.isFrozen, apply = Reflect.apply, stringify = JSON.stringify;
    var textOf = Function.prototype.toString, includes = String.prototype.includes, timeOf = Date.prototype.getTime;
    var execute = RegExp.prototype.exec, objects = Object.prototype, Numbers = Map, string = String, expressions = RegExp;
    var getNumber = Numbers.prototype.get, setNumber = Numbers.prototype.set, hasNumber = Numbers.prototype.has;
    var flagNames = ["source", "global", "ignoreCase", "multiline", "sticky", "unicode", "dotAll", "hasIndices", "unicodeSets"];
    var flagGetters = flagNames.map(function (name) { return describe(RegExp.prototype, name).get; });
    var multiline = describe(RegExp, "multiline");
    var languageKeys = ownKeys(global), typedArray = prototypeOf(Uint8Array);
    var bufferViews = languageKeys.filter(function (key) {
        return key === "DataView" || typeof global[key] === "function" && prototypeOf(global[key]) === typedArray;
    });
    var identifier = /^(?!(?:this|null|true|false|arguments)$)[A-Za-z_][\w$]*$/, element = /^\d+$/, empty = /(?:)/, emptyArguments = [""], none = [];
    var symbolPrototype = Symbol.prototype, unscopables = Symbol.unscopables, bigIntPrototype = BigInt.prototype, iteratorKey = Symbol.iterator, Iterators = Iterator, Buffers = ArrayBuffer;

    // Descriptors inherit nothing: a getter of Object.prototype would run while scopes are compared.
    function describe(object, key) {
        var found = descriptor(object, key);
        return found === undefined ? undefined : setPrototypeOf(found, null);
    }
    function list() { return { __proto__: null, length: 0 }; }
    function add(items, item) { items[items.length] = item; items.length += 1; }

    // MARK: Kinds of objects

    var PLAIN = 1, ARRAY = 2, FUNCTION = 3, DATE = 4, EXPRESSION = 5, ERROR = 6, BOXED = 7, HOST = 8, SKIPPED = 9;
    var kinds = { __proto__: null }, isSupported = true;
    function learn(sample, kind) { kinds[look(sample)] = kind; }
    learn({}, PLAIN); learn([], ARRAY); learn(learn, FUNCTION); learn(new Date(0), DATE); learn(/x/, EXPRESSION);
    learn(new Error("x"), ERROR); learn(Object(1), BOXED); learn(Object("x"), BOXED); learn(Object(true), BOXED);
    function* generate() {}
    function sloppyArguments() { return arguments; }
    var generator = generate(), given = sloppyArguments(), values = none[iteratorKey](), characters = ""[iteratorKey]();
    var setValues = new Set().values(), mapEntries = new Map().entries();
    var matches = "".matchAll(/x/g), mapped = values.map(list), wrapped = Iterators.from({ next: list });
    [
        generator, given, values, characters, matches, mapped, wrapped, new Map(), new Map().entries(), new Set(),
        new Set().values(), new WeakMap(), new WeakSet(), new WeakRef(none), new ArrayBuffer(1), new Uint8Array(1),
        new DataView(new ArrayBuffer(1)), new Proxy({}, {}), new Proxy(learn, {}), Object(Symbol.iterator), Object(BigInt(1))
    ].forEach(function (other) { if (kinds[look(other)] !== undefined) isSupported = false; });

    // Functions whose shapes others share, so that these are never the engine's dictionaries, which change in place.
    function complete(object) { ownKeys(object); if (typeof object === "function") object.prototype; return object; }
    var templates = [
        function () {}, () => 1, { method() {} }.method, class {}, class extends Object {}, function* () {}
    ].concat(sloppyFunctions).map(complete);
    templates.slice().forEach(function (template) { if (template.prototype) templates.push(complete(template.prototype)); });
    function withGetter() { return define(complete(function () {}), "getter", { get: list, configurable: true }); }
    function changesShape(change) {
        var object = withGetter(), same = withGetter();
        if (!look(object, same)) return false;
        change(object);
        return !look(object, same);
    }
    [
        function (object) { object.key = 1; }, function (object) { object[iteratorKey] = 1; },
        function (object) { object[0] = 1; }, function (object) { delete object.name; },
        function (object) { define(object, "name", { get: list }); }, function (object) { define(object, "getter", { get: changesShape }); },
        function (object) { delete object.getter; define(object, "getter", { get: list, configurable: true }); },
        function (object) { define(object, "hidden", { value: 1 }); },
        function (object) { define(object, "name", { writable: true }); },
        function (object) { setPrototypeOf(object, null); }, function (object) { preventExtensions(object); }
    ].forEach(function (change) { if (!changesShape(change)) isSupported = false; });

    // MARK: The language's own objects

    // The language's own objects, with their positions in the list where they can change.
    // Functions of the language with only a name and a length are frozen after loading.
    var known = new Numbers(), knownObjects = list(), leaves = list(), fixedKeys;
    function learnAll(start) {
        var pending = list();
        add(pending, start);
        while (pending.length > 0) {
            pending.length -= 1;
            var value = pending[pending.length];
            if (value === null || (typeof value !== "object" && typeof value !== "function") || value === global) continue;
            if (known.has(value) || look(value) === HOST || look(value) === SKIPPED) continue;
            var keys = ownKeys(value);
            known.set(value, -1);
            if (typeof value === "function" && keys.length === 2) {
                add(leaves, value);
                keys = none;
            } else if (!isFrozen(value)) {
                known.set(value, knownObjects.length);
                add(knownObjects, value);
            }
            for (var index = 0; index < keys.length; index++) {
                var found = describe(value, keys[index]);
                add(pending, found.value);
                add(pending, found.get);
                add(pending, found.set);
            }
            add(pending, prototypeOf(value));
        }
    }
    function begin(hiddenNames) {
        var segments;
        for (var index = 0; index < hiddenNames.length; index++) {
            if (hiddenNames[index] !== "RegExp") delete global[hiddenNames[index]];
        }
        // The results of the last match, which no script reads that does not name RegExp.
        hasStatics = !hiddenNames.includes("RegExp");
        if (!hasStatics) {
            ownKeys(expressions).forEach(function (key) {
                if (describe(expressions, key).get && typeof key === "string") delete expressions[key];
            });
            freeze(expressions);
        }
        freeze(none[unscopables]);
        // The prototype of its results cannot be reached without making one, which is slow.
        if (hasOwn(global, "Intl")) {
            if (hiddenNames.includes("Segmenter")) delete global.Intl.Segmenter;
            else segments = new global.Intl.Segmenter().segment("");
        }
        readsChance = false;
        for (index = 0; index < languageKeys.length; index++) {
            var found = describe(global, languageKeys[index]);
            if (found && hasOwn(found, "value")) learnAll(found.value);
        }
        [
            generator, values, characters, matches, mapped, wrapped, symbolPrototype, bigIntPrototype,
            mapEntries, setValues
        ].forEach(function (sample) { learnAll(prototypeOf(sample)); });
        sloppyFunctions.forEach(function (sample) {
            learnAll(prototypeOf(sample));
            if (sample.prototype) learnAll(prototypeOf(sample.prototype));
        });
        if (segments) {
            learnAll(prototypeOf(segments));
            learnAll(prototypeOf(segments[iteratorKey]()));
        }
        learnAll(describe(function () { return arguments; }(), "callee").get);
        // Iterator.prototype has its constructor behind a getter, and views have their buffers so.
        learnAll(Iterators);
        if (bufferViews.some(function (name) { return hasOwn(global, name); })) learnAll(Buffers);
        fixedKeys = ownKeys(global);
        return array(knownObjects);
    }

    // A script that reads the clock or a random number while it is loaded does not make the same scope again. So Date and Math.random
    // are replaced here by functions that report their use. The server's own scripts keep these too.
    var readsChance = false, Clock, math = Math;
    function watchLoading() {
        Clock = global.Date;
        var WatchedClock = function Date() {
            if (!new.target || arguments.length === 0) readsChance = true;
            return new.target
                ? construct(Clock, arguments, new.target === WatchedClock ? Clock : new.target) : apply(Clock, undefined, none);
        };
        ownKeys(Clock).forEach(function (key) { define(WatchedClock, key, describe(Clock, key)); });
        var now = Clock.now, construct = Reflect.construct;
        WatchedClock.now = { now() { readsChance = true; return now(); } }.now;
        global.Date = WatchedClock;
        Clock.prototype.constructor = WatchedClock;
        // The engine's generator is a hidden state of the scope, from which one call could learn another's random numbers.
        math.random = { random() { readsChance = true; return look(); } }.random;
    }
    function endWatching() {
        if (readsChance) stop("", "the script reads the clock or a random number while it is loaded");
    }
    function array(items) {
        var result = [];
        for (var index = 0; index < items.length; index++) {
            define(result, index, { __proto__: null, value: items[index], writable: true, enumerable: true, configurable: true });
        }
        return result;
    }
    // Changes every one of them: for a scope that is thrown away.
    function probe() {
        for (var index = 0; index < knownObjects.length; index++) {
            try { define(knownObjects[index], "lamplighter", { value: 1 }); } catch (error) { /* it cannot change */ }
        }
    }

    // MARK: The image

    var records = list(), numbers = new Numbers(), obstacle, slotCount = 0, lexicalNames = list(), lexicalReader;
    function stop(path, reason) { if (obstacle === undefined) obstacle = path + "\n" + reason; }
    function text(key) { return typeof key === "symbol" ? "[symbol]" : string(key); }

    // Attributes of a property, as a number.
    function flags(found) {
        return (found.writable ? 1 : 0) + (found.enumerable ? 2 : 0) + (found.configurable ? 4 : 0);
    }
    function note(object, kind, path) {
        var record = {
            __proto__: null, object: object, kind: kind, path: path, keys: ownKeys(object), prototype: prototypeOf(object),
            slots: list(), isPlain: true, hasElements: kind === ARRAY, isKnown: apply(hasNumber, known, [object]), witness: undefined, extra: undefined,
            isExtensible: isExtensible(object)
        };
        for (var index = 0; index < record.keys.length; index++) {
            var found = describe(object, record.keys[index]);
            var isValue = hasOwn(found, "value");
            if (typeof record.keys[index] === "string" && apply(execute, element, [record.keys[index]]) !== null) record.hasElements = true;
            if (!isValue || flags(found) !== 7) record.isPlain = false;
            add(record.slots, {
                __proto__: null, key: record.keys[index], isValue: isValue, value: isValue ? found.value : undefined,
                get: isValue ? undefined : found.get, set: isValue ? undefined : found.set, flags: flags(found),
                isFixed: !found.configurable, isConstant: !found.configurable && isValue && !found.writable
            });
        }
        record.extra = extra(record);
        add(records, record);
        return record;
    }
    function extra(record) {
        if (record.kind === DATE) return apply(timeOf, record.object, none);
        if (record.kind !== EXPRESSION) return undefined;
        var result = "";
        for (var index = 0; index < flagGetters.length; index++) result += apply(flagGetters[index], record.object, none) + "\n";
        return result;
    }
    function isNative(value) { return apply(includes, apply(textOf, value, none), ["[native code]"]); }

    var pendingValues = list(), pendingPaths = list();
    function visit(value, path) {
        if (value === null || (typeof value !== "object" && typeof value !== "function") || value === global) return;
        if (apply(hasNumber, numbers, [value]) || apply(hasNumber, known, [value])) return;
        add(pendingValues, value);
        add(pendingPaths, path);
    }
    function visitAll() {
        while (pendingValues.length > 0 && obstacle === undefined) {
            pendingValues.length -= 1;
            pendingPaths.length -= 1;
            var value = pendingValues[pendingValues.length], path = pendingPaths[pendingPaths.length];
            if (apply(hasNumber, numbers, [value])) continue;
            var kind = look(value);
            if (kind === SKIPPED) continue;
            if (kind !== HOST) kind = kinds[kind];
            if (kind === undefined) stop(path, "holds an object whose contents cannot be compared");
            else if (kind === FUNCTION && isNative(value)) stop(path, "holds a bound function");
            else visitMembers(value, kind, path);
        }
    }
    function visitMembers(value, kind, path) {
        apply(setNumber, numbers, [value, records.length]);
        var record = note(value, kind, path);
        slotCount += record.slots.length + 1;
        if (slotCount > 2000) stop(path, "has more than 2,000 values with those before it");
        visitSlots(record, path);
        record.witness = witness(record);
    }
    function visitSlots(record, path) {
        visit(record.prototype, path);
        for (var index = 0; index < record.slots.length; index++) {
            var slot = record.slots[index], below = path || text(slot.key);
            visit(slot.value, below);
            visit(slot.get, below);
            visit(slot.set, below);
        }
    }

    // An object of the same shape that no script can change; undefined when there is none.
    function witness(record) {
        var made, index;
        if (record.kind === FUNCTION && !record.hasElements) {
            for (index = 0; index < templates.length; index++) {
                if (look(templates[index], record.object)) return templates[index];
            }
        }
        // Elements come and go without another shape.
        if (record.hasElements) return undefined;
        if (record.kind === PLAIN && record.prototype === objects) {
            for (index = 0; index < templates.length; index++) {
                if (look(templates[index], record.object)) return templates[index];
            }
            if (record.isPlain) made = { ...record.object };
            if (record.isPlain && look(made, record.object)) return made;
            made = {};
        } else {
            return undefined;
        }
        for (index = 0; index < record.slots.length; index++) {
            define(made, record.slots[index].key, describe(record.object, record.slots[index].key));
        }
        return look(made, record.object) ? made : undefined;
    }

    var readers = list();
    function noteReader(reader, path) {
        var found;
        try {
            found = reader();
        } catch (error) {
            stop(path, "is captured before it has a value");
            return;
        }
        var kept = list();
        for (var index = 0; index < found.length; index++) {
            add(kept, found[index]);
            visit(found[index], path === "" ? lexicalNames[index] : path);
            slotCount += 1;
        }
        add(readers, { __proto__: null, read: reader, values: kept, path: path });
    }

    // MARK: Comparing

    function keysDiffer(object, keys) {
        var found = ownKeys(object);
        if (found.length !== keys.length) return true;
        for (var index = 0; index < keys.length; index++) if (found[index] !== keys[index]) return true;
        return false;
    }
    function slotDiffers(object, slot) {
        var found = describe(object, slot.key);
        if (found === undefined || flags(found) !== slot.flags || hasOwn(found, "value") !== slot.isValue) return true;
        return slot.isValue ? !is(found.value, slot.value) : found.get !== slot.get || found.set !== slot.set;
    }
    // The path of the change in a record; undefined without a change.
    function change(record) {
        var object = record.object, index;
        if (prototypeOf(object) !== record.prototype || isExtensible(object) !== record.isExtensible
            || !is(extra(record), record.extra)) return record.path || "this";
        if (keysDiffer(object, record.keys)) {
            var found = ownKeys(object);
            for (index = 0; index < found.length; index++) {
                if (record.keys[index] !== found[index]) return record.path || text(found[index]);
            }
            return record.path || text(record.keys[found.length]);
        }
        for (index = 0; index < record.slots.length; index++) {
            if (slotDiffers(object, record.slots[index])) return record.path || text(record.slots[index].key);
        }
        return undefined;
    }
    // The globals that have changed, joined by line ends; an empty string when none has.
    function changedGlobals() {
        var record = records[0], names = "", index;
        function name(key) { names += (names === "" ? "" : "\n") + text(key); }
        for (index = 0; index < record.slots.length; index++) {
            if (slotDiffers(global, record.slots[index])) name(record.slots[index].key);
        }
        if (keysDiffer(global, record.keys)) {
            var found = ownKeys(global), known = { __proto__: null };
            for (index = 0; index < record.keys.length; index++) known[record.keys[index]] = true;
            for (index = 0; index < found.length; index++) if (!known[found[index]]) name(found[index]);
        }
        return names;
    }
    // The path of the first change, or the names of all changed globals; undefined without a change.
    function difference() {
        var names = changedGlobals();
        if (names !== "") return names;
        for (var index = 0; index < records.length; index++) {
            var path = change(records[index]);
            if (path !== undefined) return records[index].isKnown ? knownPath(records[index].object) : path;
        }
        for (index = 0; index < readers.length; index++) {
            var found = readers[index].read(), values = readers[index].values;
            for (var place = 0; place < values.length; place++) {
                if (!is(found[place], values[place])) {
                    return readers[index].path === "" ? lexicalNames[place] : readers[index].path;
                }
            }
        }
        return undefined;
    }

    // MARK: The check, as straight code

    var constants = list(), lines = list();
    function constant(value) {
        add(constants, value);
        return "$$" + (constants.length - 1);
    }
    function unequal(expression, value) {
        var isSpecial = typeof value === "number" && (value === 0 || value !== value);
        return isSpecial ? "!$is(" + expression + "," + constant(value) + ")" : expression + "!==" + constant(value);
    }
    function keyText(key) { return typeof key === "symbol" ? constant(key) : stringify(key); }
    function line(code) { add(lines, code + "\n"); }
    function reject(condition) { line("if(" + condition + ")return false;"); }

    function compareSlot(owner, slot, isGuarded) {
        // An accessor cannot be replaced without a change of shape.
        if (isGuarded && (slot.isConstant || !slot.isValue)) return;
        if (isGuarded) reject(unequal(owner + "[" + keyText(slot.key) + "]", slot.value));
        else reject("$slot(" + owner + "," + constant(slot) + ")");
    }
    function recordDiffers(record) { return change(record) !== undefined; }
    function compareRecord(record, isGuarded) {
        if (!isGuarded) return reject("$differs(" + constant(record) + ")");
        var owner = constant(record.object);
        if (!record.isKnown) reject("$prototype(" + owner + ")!==" + constant(record.prototype));
        for (var index = 0; index < record.slots.length; index++) compareSlot(owner, record.slots[index], true);
    }
    function compareGlobal(record, isLexical) {
        reject("$keys($global," + constant(record.keys) + ")");
        reject("$prototype($global)!==" + constant(record.prototype) + "||$extensible($global)!==" + record.isExtensible);
        for (var index = 0; index < record.slots.length; index++) {
            var slot = record.slots[index];
            var isName = typeof slot.key === "string" && apply(execute, identifier, [slot.key]) !== null
                && !isLexical[slot.key];
            if (slot.isConstant) continue;
            // Of a fixed value only the writability can change.
            if (slot.isValue && slot.isFixed) reject("!$descriptor($global," + keyText(slot.key) + ").writable");
            if (isName && slot.isValue && slot.isFixed) reject(unequal(slot.key, slot.value));
            else compareSlot("$global", slot, slot.isFixed);
        }
    }
    function joined() {
        // In functions of some lines each, since compiling a function costs more than proportionally to its length.
        var functions = "", calls = "";
        for (var index = 0; index < lines.length; index++) {
            if (index % 40 === 0) {
                calls += "&&$f" + index + "()";
                functions += (index === 0 ? "" : "return true;}\n") + "function $f" + index + "(){var $k;\n";
            }
            functions += lines[index];
        }
        return [functions + (lines.length === 0 ? "" : "return true;}\n"), calls];
    }

    // Makes the image. Returns a string that says what cannot be compared and why, on two lines, or undefined.
    //
    // makeCode() then returns an array: the check's source, its constants, objects with witnesses, the witnesses, the numbers of the
    // language's objects that are compared by their shape. The check may run only while all these shapes are unchanged: it reads
    // members, and a getter that a call has substituted for a member would run.
    function take(isUnchanged, kept, captured, lexicals, temporaries, shadowed) {
        if (!isSupported) return "\nthe layout of the engine's objects is not known";
        var index, isLexical = { __proto__: null };
        endWatching();
        var limit = describe(Errors, limitName);
        if (limit === undefined || typeof limit.value !== "number") return "Error.stackTraceLimit\nis no number";
        stackLimit = limit.value;
        reset();
        for (index = 0; index < fixedKeys.length; index++) {
            if (hasOwn(global, fixedKeys[index])) define(global, fixedKeys[index], { __proto__: null, configurable: false });
        }
        for (index = 0; index < shadowed.length; index++) isLexical[shadowed[index]] = true;
        if (lexicals) {
            for (index = 0; index < lexicals[1].length; index++) {
                add(lexicalNames, lexicals[1][index]);
                isLexical[lexicals[1][index]] = true;
            }
        }
        var globals = note(global, PLAIN, "");
        visitSlots(globals, "");
        visitAll();
        if (lexicals) noteReader(lexicals[0], "");
        for (index = 0; index < captured.length; index++) noteReader(captured[index], "a variable that a function captured");
        for (index = 0; index < kept.length; index++) visit(kept[index], "a function that the server keeps");
        visitAll();
        for (index = 0; index < knownObjects.length; index++) {
            var object = knownObjects[index], path = "an object of the language";
            visitSlots(note(object, 0, path), path);
        }
        for (index = 0; index < leaves.length; index++) {
            if (ownKeys(leaves[index]).length === 2) freeze(leaves[index]);
            visitSlots(note(leaves[index], 0, "an object of the language"), "an object of the language");
            if (isFrozen(leaves[index])) records.length -= 1;
        }
        visitAll();
        if (obstacle !== undefined) return obstacle;
        noteTemporaries(temporaries, isLexical);
        reset();
        code = function () { return make(globals, isUnchanged, isLexical); };
        return undefined;
    }
    // Most scopes of an adapter that keeps state are compared once, and code for that is not worth its making.
    var code;
    function makeCode() {
        var made = code();
        code = undefined;
        reset();
        return made;
    }
    // Returns whether nothing has changed, without generated code.
    function isUnchanged() {
        reset();
        return withTemporaries(function () { return difference() === undefined; });
    }
    function knownPath(object) {
        for (var index = 0; index < languageKeys.length; index++) {
            var found = describe(global, languageKeys[index]);
            if (found === undefined || !apply(hasNumber, known, [found.value])) continue;
            if (found.value === object) return text(languageKeys[index]);
            found = describe(found.value, "prototype");
            if (found && found.value === object) return text(languageKeys[index]) + ".prototype";
        }
        return "an object of the language";
    }
    function make(globals, isUnchanged, isLexical) {
        var guarded = list(), witnesses = list(), shapes = list();
        var index, record;
        compareGlobal(globals, isLexical);
        for (index = 1; index < records.length; index++) {
            record = records[index];
            if (record.isKnown) {
                var number = apply(getNumber, known, [record.object]);
                if (!isUnchanged[number]) compareRecord(record, false);
                else {
                    add(shapes, number);
                    compareRecord(record, true);
                }
            } else if (record.witness !== undefined) {
                add(guarded, record.object);
                add(witnesses, record.witness);
                compareRecord(record, true);
            } else compareRecord(record, false);
        }
        for (index = 0; index < readers.length; index++) compareReader(readers[index]);
        var check = joined();
        lines = undefined;
        return [
            head() + check[0] + "function $all(){return true" + check[1] + ";}return function(){$reset();return "
                + (restored.length > 0 ? "$with($all)" : "$all()") + ";}})",
            bag(), array(guarded), array(witnesses), array(shapes)
        ];
    }
    // Temporaries that get the image's value back, without running a setter.
    var restored = list();
    function noteTemporaries(names, isLexical) {
        for (var index = 0; index < names.length; index++) {
            var found = describe(global, names[index]);
            if (isLexical[names[index]]) continue;
            if (found !== undefined && (!hasOwn(found, "value") || !found.writable || found.configurable)) continue;
            add(restored, {
                __proto__: null, name: names[index], isAbsent: found === undefined, value: found && found.value
            });
        }
    }
    // Sets temporaries to the image's values for the time of a comparison, and permanently if nothing else has changed.
    function withTemporaries(compare) {
        var before = list(), isEqual = false, index;
        try {
            for (index = 0; index < restored.length; index++) {
                add(before, describe(global, restored[index].name));
                if (restored[index].isAbsent) delete global[restored[index].name];
                else define(global, restored[index].name, { __proto__: null, value: restored[index].value });
            }
            isEqual = compare();
        } finally {
            for (index = 0; !isEqual && index < before.length; index++) {
                if (before[index] !== undefined) define(global, restored[index].name, before[index]);
            }
        }
        return isEqual;
    }
    function compareReader(reader) {
        var code = "$k=" + constant(reader.read) + "();";
        for (var index = 0; index < reader.values.length; index++) {
            code += "if(" + unequal("$k[" + index + "]", reader.values[index]) + ")return false;";
        }
        line(code);
    }
    function put(target, index, value) {
        define(target, index, { __proto__: null, value: value, writable: true, enumerable: true, configurable: true });
    }
    // Resets state that the engine keeps for a scope and no comparison sees: the results of the last match, and the highest number of lines
    // of an error's stack, which an assignment through an object that inherits from Error changes also.
    var hasStatics = true, Errors = Error, setMember = Reflect.set, limitName = "stackTraceLimit", receiver = { __proto__: null };
    var stackLimit = describe(Errors, limitName).value;
    function reset() {
        var limit = describe(Errors, limitName);
        // A change of the member itself is seen.
        if (limit !== undefined && hasOwn(limit, "value")) setMember(Errors, limitName, stackLimit, receiver);
        if (!hasStatics) return;
        apply(execute, empty, emptyArguments);
        if (apply(multiline.get, expressions, none)) apply(multiline.set, expressions, [false]);
    }
    // The values that the check's code refers to: the functions first.
    function bag() {
        var fixed = [global, is, keysDiffer, prototypeOf, slotDiffers, isExtensible, recordDiffers, reset, descriptor, withTemporaries];
        for (var index = 0; index < constants.length; index++) put(fixed, 10 + index, constants[index]);
        return fixed;
    }
    function head() {
        var result = "(function($c){\"use strict\";var $global=$c[0],$is=$c[1],$keys=$c[2],$prototype=$c[3],$slot=$c[4],$extensible=$c[5],"
            + "$differs=$c[6],$reset=$c[7],$descriptor=$c[8],$with=$c[9]";
        for (var index = 0; index < constants.length; index++) result += ",$$" + index + "=$c[" + (10 + index) + "]";
        return result + ";\n";
    }
    watchLoading();
    return [begin, probe, take, difference, isUnchanged, makeCode];
})
