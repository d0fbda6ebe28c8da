describe("Notes", () => {
    beforeEach(() => {
        harness.database().execute(
            "create table if not exists notes (id integer primary key, topic text not null, content text not null)");
        harness.database().execute("delete from notes");
    });

    it("are found by their topic", () => {
        expect(harness.call("addNote", "home", "Buy lamps").added).toBe(1);
        harness.call("addNote", "work", "Write tests");
        const { notes } = harness.call("findNotes", "home");
        expect(notes).toEqual([{ id: expect.any(Number), content: "Buy lamps" }]);
    });

    it("may hold quotes", () => {
        harness.call("addNote", "home", "it's \"quoted\"");
        expect(harness.database().query("select content from notes")).toEqual([{ content: "it's \"quoted\"" }]);
    });
});
