// The table is made by hand, once:
//     create table notes (id integer primary key, topic text not null, content text not null)

const insertNote = WL.Server.createSQLStatement("insert into notes (topic, content) values (?, ?)");
const selectNotes = WL.Server.createSQLStatement("select id, content from notes where topic = ? order by id");

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
