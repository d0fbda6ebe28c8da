// Create the table once before the first call:
//
//     CREATE TABLE notes (id INTEGER PRIMARY KEY, topic TEXT NOT NULL, content TEXT NOT NULL)

const insertNote = WL.Server.createSQLStatement("INSERT INTO notes (topic, content) VALUES (?, ?)");
const selectNotes = WL.Server.createSQLStatement("SELECT id, content FROM notes WHERE topic = ? ORDER BY id");

/**
 * @param {string} topic
 * @param {string} content
 */
function addNote(topic, content) {
    const result = WL.Server.invokeSQLStatement({ preparedStatement: insertNote, parameters: [topic, content] });
    return result.isSuccessful ? { added: result.updateStatementResult.updateCount } : result;
}

/** @param {string} topic */
function findNotes(topic) {
    const result = WL.Server.invokeSQLStatement({ preparedStatement: selectNotes, parameters: [topic] });
    return result.isSuccessful ? { notes: result.resultSet } : result;
}
