describe("PriceAlerts", () => {
    /**
     * What the shop asks for a lamp from now on.
     *
     * @param {number} value
     */
    const price = value => harness.backEnd("Catalog").get("/prices", {
        xml: `<prices><article><name>lamp</name><price>${value}</price></article><article><name>rug</name><price>1000</price></article></prices>`
    });

    beforeEach(() => {
        price(40);
        harness.user("ann").device("phone", { platform: "Android" }).subscribe("prices");
        harness.call("Watchlist/watch", "ann", "lamp", 35);
    });

    it("tells who waits as soon as the price has come down", () => {
        harness.clock.advance(20);
        expect(harness.sent).toEqual([]);
        price(30);
        harness.clock.advance(5);
        expect(harness.sent).toHaveLength(1);
        expect(harness.sent[0]).toMatchObject({ user: "ann", device: "phone", application: "PriceWatch" });
        expect(harness.sent[0].body.message.data.alert).toBe("lamp costs 30 now");
    });

    it("tells it once", () => {
        price(30);
        harness.clock.advance(60);
        expect(harness.sent).toHaveLength(1);
    });

    it("sends offers to whoever subscribed to them", () => {
        harness.user("bob").device("tablet").subscribeToTag("offers");
        harness.call("announce", "Sale!");
        expect(harness.sent.map(sent => [sent.device, sent.tag])).toEqual([["tablet", "offers"]]);
    });
});
