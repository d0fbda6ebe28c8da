import Core
import Testing

@Suite("JSON values")
struct JSONValueTests {
    @Test(
        "Each value names its kind for error messages",
        arguments: [
            (JSONValue.null, "null"), (true, "a boolean"), (1, "a number"), ("", "a string"), ([], "an array"),
            ([:], "an object"),
        ] as [(JSONValue, String)])
    func kinds(value: JSONValue, kind: String) {
        #expect(value.kind == kind)
    }

    @Test("Asking for another kind than a value has returns nil")
    func otherKinds() {
        let value: JSONValue = 1
        #expect(value.number == 1)
        #expect(value.string == nil)
        #expect(value.array == nil)
        #expect(value.object == nil)
        #expect(value["a"] == nil)
        #expect(!value.isNull)
    }

    @Test("A member of an object is found by its key")
    func members() {
        let value: JSONValue = ["a": ["b": "c"], "n": .null]
        #expect(value["a"]?["b"]?.string == "c")
        #expect(value["n"]?.isNull == true)
        #expect(value["x"] == nil)
    }

    @Test("Setting a new key appends it")
    func append() {
        var object: JSONObject = ["b": 1]
        object["a"] = 2
        #expect(object.keys == ["b", "a"])
    }

    @Test("Setting a known key keeps its position")
    func replace() {
        var object: JSONObject = ["b": 1, "a": 2]
        object["b"] = 3
        #expect(object.members == [.init(key: "b", value: 3), .init(key: "a", value: 2)])
    }

    @Test("Setting nil removes the key, and does nothing when there is none")
    func remove() {
        var object: JSONObject = ["b": 1]
        object["x"] = nil
        #expect(object.keys == ["b"])
        object["b"] = nil
        #expect(object.isEmpty)
    }

    @Test("Objects with the same members in another order differ")
    func orderMatters() {
        #expect(JSONValue.object(["a": 1, "b": 2]) != .object(["b": 2, "a": 1]))
    }
}
