// Expected values that equal several values, such as expect.any(Number).
(function (language, equality) {
    "use strict";

    var { TypeError, RegExp, every, findIndex, indexOf, isArray, keysOf, some } = language;
    var { Asymmetric, isObject, equal, isClose, fits } = equality;

    function isOfType(value, type) {
        var index = findIndex(language.types, function (pair) { return pair[0] === type; });
        if (index >= 0) return typeof value === language.types[index][1];
        return type === language.object ? isObject(value) : value instanceof type;
    }

    return {
        anything: function () {
            return new Asymmetric("anything()", undefined, function (value) { return value !== null && value !== undefined; });
        },
        any: function (type) {
            if (typeof type !== "function") throw new TypeError("expect.any: expected a type such as String");
            return new Asymmetric("any(" + type.name + ")", undefined, function (value) { return isOfType(value, type); });
        },
        arrayContaining: function (list) {
            return new Asymmetric("arrayContaining", list, function (value) {
                return isArray(value) && every(list, function (wanted) {
                    return some(value, function (element) { return equal(element, wanted, false); });
                });
            });
        },
        objectContaining: function (pattern) {
            return new Asymmetric("objectContaining", pattern, function (value) {
                return isObject(value) && every(keysOf(pattern), function (key) {
                    return key in value && equal(value[key], pattern[key], false);
                });
            });
        },
        stringContaining: function (part) {
            return new Asymmetric("stringContaining", part, function (value) {
                return typeof value === "string" && indexOf(value, part) >= 0;
            });
        },
        stringMatching: function (pattern) {
            var expression = pattern instanceof RegExp ? pattern : new RegExp(pattern);
            return new Asymmetric("stringMatching", expression, function (value) {
                return typeof value === "string" && fits(value, expression);
            });
        },
        closeTo: function (number, digits) {
            var places = digits === undefined ? 2 : digits;
            return new Asymmetric("closeTo", number, function (value) {
                return typeof value === "number" && isClose(value, number, places);
            });
        }
    };
})
