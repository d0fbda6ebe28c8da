describe("Cleaner", () => {
    /** @param {string} text */
    const lines = text => harness.log.filter(line => line.message === text).length;

    it("ticks every five seconds", () => {
        harness.clock.advance(5);
        const first = harness.polls.length;
        harness.clock.advance(25);
        expect(harness.polls.filter(poll => poll.eventSource === "Cleaner.EveryFiveSeconds").length).toBeGreaterThanOrEqual(5);
        expect(harness.polls.length).toBeGreaterThan(first);
    });

    it("runs its daily job once a day", () => {
        harness.clock.advance(1);
        const first = lines("a day has passed");
        harness.clock.advance(24 * 60 * 60);
        expect(lines("a day has passed")).toBe(first + 1);
    }, 60000);

    it("keeps the ticks to the poll's own scope", () => {
        harness.clock.advance(60);
        expect(harness.call("lastRun").ticks).toBe(0);
    });
});
