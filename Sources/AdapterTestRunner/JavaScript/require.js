// Returns the function `require` of a test file. Modules are kept before they are run, so that two that need each other come to an end.
(function (find, read, file) {
    "use strict";
    var modules = Object.create(null);
    var drop = Reflect.deleteProperty, apply = Reflect.apply;
    function requireFrom(place) {
        return function require(name) {
            var path = find(String(name), place);
            if (path in modules) return modules[path].exports;
            var module = { exports: {}, id: path };
            modules[path] = module;
            try {
                var body = read(path);
                if (typeof body === "function") {
                    apply(body, module.exports, [module.exports, module, requireFrom(path)]);
                } else {
                    module.exports = body.value;
                }
            } catch (error) {
                drop(modules, path);
                throw error;
            }
            return module.exports;
        };
    }
    return requireFrom(file);
})
