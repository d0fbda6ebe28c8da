// Returns the function `require` of a test file. A module is stored before it runs, so that two modules can require each other.
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
