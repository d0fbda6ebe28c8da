describe("Notes", () => {
    beforeEach(() => {
        harness.database().execute(
            "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, topic TEXT NOT NULL, content TEXT NOT NULL)");
        harness.database().execute("DELETE FROM notes");
    });

    it("finds notes by their topic", () => {
        expect(harness.call("addNote", "home", "Buy lamps").added).toBe(1);
        harness.call("addNote", "work", "Write tests");
        const { notes } = harness.call("findNotes", "home");
        expect(notes).toEqual([{ id: expect.any(Number), content: "Buy lamps" }]);
    });

    it("stores quotation marks", () => {
        harness.call("addNote", "home", "it's \"quoted\"");
        expect(harness.database().query("SELECT content FROM notes")).toEqual([{ content: "it's \"quoted\"" }]);
    });
});
