describe("Inbox", () => {
    /** @param {string} user */
    const subscribe = user => harness.user(user).device("tablet", { platform: "Android" }).subscribe("Mail");

    it("lets the tablet go from ann to bob, and no further", () => {
        subscribe("ann");
        subscribe("bob");
        expect(() => subscribe("cid")).toThrow("ask bob to log out");
    });

    it("remembers since when it knows a user", () => {
        subscribe("ann");
        const state = harness.evaluate("WL.Server.getUserNotificationSubscription('Inbox.Mail', 'ann').state");
        expect(state).toEqual({ since: harness.clock.now().toISOString(), changes: 0 });
    });
});
