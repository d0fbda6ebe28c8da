describe("PushAdapter", () => {
    it("notifies the app's user", () => {
        harness.user("ann").device("phone").subscribe("PushEventSource");
        expect(harness.call("submitNotification", "ann", "hello").result).toBe("Notification sent to user :: ann");
        expect(harness.sent[0].body.aps).toMatchObject({ alert: { body: "hello" }, badge: 1 });
    });

    it("knows nobody else", () => {
        expect(harness.call("submitNotification", "bob", "hello").result).toBe("No subscription found for user :: bob");
    });
});
