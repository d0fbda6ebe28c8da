/// <reference path="../../../../adapters/worklight.d.ts" />

var createTable = WL.Server.createSQLStatement(
    "create table if not exists watches (user text, article text, price real, primary key (user, article))");
var insertWatch = WL.Server.createSQLStatement("insert or replace into watches values (?, ?, ?)");
var selectWatchers = WL.Server.createSQLStatement("select user from watches where article = ? and price >= ?");
var deleteWatch = WL.Server.createSQLStatement("delete from watches where user = ? and article = ?");

/**
 * @param {WL.PreparedStatement} statement
 * @param {WL.SQLParameter[]} parameters
 */
function run(statement, parameters) {
    return WL.Server.invokeSQLStatement({ preparedStatement: statement, parameters: parameters });
}

WL.Server.invokeSQLStatement({ preparedStatement: createTable });

/**
 * Tells the user once the article costs no more than this.
 *
 * @param {string} user
 * @param {string} article
 * @param {number} price
 */
function watch(user, article, price) {
    return run(insertWatch, [user, article, price]);
}

/**
 * The users who waited for this price. They are told once, so they watch no longer.
 *
 * @param {string} article
 * @param {number} price
 */
function takeWatchers(article, price) {
    var users = run(selectWatchers, [article, price]).resultSet.map(function (row) { return row.user; });
    // Not in a callback of forEach, where each statement would hold a virtual machine while it waits.
    for (var i = 0; i < users.length; i++) run(deleteWatch, [users[i], article]);
    return { users: users };
}
