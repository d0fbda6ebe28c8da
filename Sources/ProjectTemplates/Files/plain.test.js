describe("greet", () => {
    it("says hello", () => {
        expect(harness.call("greet", "Ann").text).toBe("Hello, Ann!");
    });
});
