describe("PolledPushAdapter", () => {
    beforeEach(() => {
        harness.user("ann").device("phone").subscribe("PushEventSource");
    });

    it("asks its back end every three seconds", () => {
        harness.backEnd().get("/messages", { json: { messages: [] } });
        const first = harness.clock.advance(3).length;
        expect(harness.clock.advance(30)).toHaveLength(10);
        expect(harness.backEnd().requests).toHaveLength(first + 10);
        expect(harness.sent).toEqual([]);
    });

    it("makes a notification of each message", () => {
        const message = { userId: "ann", text: "your order has come", badge: 2, payload: { order: 7 } };
        harness.backEnd().get("/messages", { json: { messages: [message] } }, { json: { messages: [] } });
        harness.clock.advance(9);
        expect(harness.sent).toHaveLength(1);
        expect(harness.sent[0].body).toMatchObject({ aps: { badge: 2, sound: "chime.mp3" } });
        expect(JSON.stringify(harness.sent[0].body)).toContain("your order has come");
    });

    it.each([
        ["is away", { refused: true }],
        ["is silent", { silence: true }],
        ["fails", { status: 500, text: "sorry" }]
    ])("waits for better times when the back end %s", (what, answer) => {
        harness.backEnd().get("/messages", answer, { json: { messages: [{ userId: "ann", text: "x", badge: 1 }] } });
        harness.clock.advance(3);
        harness.clock.advance(3);
        expect(harness.sent.length).toBeGreaterThan(0);
    });

    it("passes over users without a device", () => {
        expect(harness.call("submitNotification", "bob", "hello").result).toBe("No subscription found for user :: bob");
    });
});
