describe("Watchlist", () => {
    const watches = () => harness.database().query("select user, article, price from watches order by user");

    it("keeps the last price that a user wants of an article", () => {
        harness.call("watch", "ann", "lamp", 35);
        harness.call("watch", "ann", "lamp", 30);
        expect(watches()).toEqual([{ user: "ann", article: "lamp", price: 30 }]);
    });

    it("hands out those whose price has come, once", () => {
        harness.call("watch", "ann", "lamp", 35);
        harness.call("watch", "bob", "lamp", 20);
        expect(harness.call("takeWatchers", "lamp", 30).users).toEqual(["ann"]);
        expect(harness.call("takeWatchers", "lamp", 30).users).toEqual([]);
        expect(watches().map(row => row.user)).toEqual(["bob"]);
    });
});
