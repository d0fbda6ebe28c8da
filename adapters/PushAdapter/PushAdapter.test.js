describe("PushAdapter", () => {
    /** @param {"Apple" | "Android"} platform */
    const subscribed = platform => harness.user("ann").device("phone", { platform, application: "App" })
        .subscribe("PushEventSource", { alias: "myPush" });

    it("says so when the user has no device", () => {
        expect(harness.call("submitNotification", "ann", "hello").result).toBe("No subscription found for user :: ann");
        expect(harness.sent).toEqual([]);
    });

    it("sends an iPhone the text, the badge and the payload", () => {
        subscribed("Apple");
        expect(harness.call("submitNotification", "ann", "hello").result).toBe("Notification sent to user :: ann");
        expect(harness.sent).toHaveLength(1);
        expect(harness.sent[0]).toMatchObject({
            user: "ann", device: "phone", eventSource: "PushAdapter.PushEventSource", service: "APNs",
            headers: { "apns-push-type": "alert" }
        });
        expect(harness.sent[0].body).toEqual({
            aps: { alert: { "action-loc-key": null, body: "hello" }, badge: 1, sound: "" },
            payload: JSON.stringify({ alias: "myPush", custom: "data" })
        });
    });

    it("sends an Android phone the text and the payload as data", () => {
        subscribed("Android");
        harness.call("submitNotification", "ann", "hello");
        expect(harness.sent[0].body.message.data).toEqual({
            alert: "hello", payload: JSON.stringify({ alias: "myPush", custom: "data" })
        });
    });

    it("reaches all devices of the user and nobody else's", () => {
        harness.user("ann").device("phone").subscribe("PushEventSource");
        harness.user("ann").device("tablet", { platform: "Android" }).subscribe("PushEventSource");
        harness.user("bob").device("other").subscribe("PushEventSource");
        harness.call("submitNotification", "ann", "hello");
        expect(harness.sent.map(sent => sent.device).sort()).toEqual(["phone", "tablet"]);
    });

    it("logs who comes and who goes", () => {
        subscribed("Apple").unsubscribe("PushEventSource");
        expect(harness.log.map(line => line.message)).toEqual(expect.arrayContaining([
            "device phone of ann has subscribed", "device phone of ann has unsubscribed"
        ]));
    });
});
