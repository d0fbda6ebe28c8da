describe("notifyUser", () => {
    it("reaches all devices of the user", () => {
        const ann = harness.user("ann");
        ann.device("phone", { platform: "Apple" }).subscribe("News");
        ann.device("tablet", { platform: "Android" }).subscribe("News");

        expect(harness.call("notifyUser", "ann", "Hello").devices).toBe(2);

        expect(harness.sent.length).toBe(2);
        const [toPhone] = harness.sent.filter((message) => message.device === "phone");
        expect(toPhone.body.aps.alert.body).toBe("Hello");
    });

    it("says that a user has no device", () => {
        const result = harness.call("notifyUser", "bob", "Hello");
        expect(result.isSuccessful).toBe(false);
        expect(result.errors[0]).toContain("bob");
    });
});
