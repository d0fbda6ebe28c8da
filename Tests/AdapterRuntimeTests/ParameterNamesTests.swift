import Testing

@testable import AdapterRuntime

@Suite("Parameters in scripts that cannot be read")
struct ParameterNamesTests {
    @Test(
        "Functions are found however they are written",
        arguments: [
            ("function f(a, b) {}", ["a", "b"]), ("function f() {}", []),
            ("function\n f\t( a ,\n b )\n{}", ["a", "b"]),
            ("f = function (a, b) {}", ["a", "b"]), ("var f=function g(a){};f=function(b){}", ["b"]),
            ("x = { f: function (a) {} }", ["a"]), ("const f = (a, b) => a", ["a", "b"]), ("const f = a => a", ["a"]),
            ("const f = async (a) => a", ["a"]), ("f = async function (a) {}", ["a"]), ("function* f(a) {}", ["a"]),
            ("async function f(a) {}", ["a"]), ("export.f = () => 1", []),
        ])
    func found(script: String, parameters: [String]) {
        #expect(ParameterNames.read(script)["f"] == parameters)
    }

    @Test(
        "Functions without a name are left out",
        arguments: [
            "x['f'] = function (a) {}", "(function (a) {})()", "function (a) {}", "function", "function f", "function(",
            "=> 1", ") => 1", "= => 1", "= function (", "list.map((a) => a)", "async => 1", "function f[a] {}", "",
        ])
    func unnamed(script: String) {
        #expect(ParameterNames.read(script)["f"] == nil)
    }
}
