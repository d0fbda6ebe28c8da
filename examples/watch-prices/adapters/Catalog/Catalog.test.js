describe("Catalog", () => {
    it("makes numbers of the shop's XML", () => {
        harness.backEnd().get("/prices", {
            xml: "<prices><article><name>lamp</name><price>40</price></article>"
                + "<article><name>chair</name><price>99.5</price></article></prices>"
        });
        expect(harness.call("getPrices").prices).toEqual([{ name: "lamp", price: 40 }, { name: "chair", price: 99.5 }]);
    });

    it("tells why there are no prices", () => {
        harness.backEnd().get("/prices", { refused: true });
        const answer = harness.call("getPrices");
        expect(answer.isSuccessful).toBe(false);
        expect(answer.errors[0]).toContain("refused");
    });
});
