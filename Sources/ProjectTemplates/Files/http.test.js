describe("findItems", () => {
    it("requests the items and returns their ids and names", () => {
        harness.backEnd().get("/items", { json: [{ id: 1, name: "Lamp", supplier: "secret" }] });

        expect(harness.call("findItems", "la").items).toEqual([{ id: 1, name: "Lamp" }]);

        expect(harness.backEnd().requests[0].query).toEqual({ q: "la" });
    });

    it("fails when the back end does", () => {
        harness.backEnd().get("/items", { status: 503 });
        const result = harness.call("findItems", "la");
        expect(result.isSuccessful).toBe(false);
        expect(result.errors[0]).toContain("503");
    });
});
