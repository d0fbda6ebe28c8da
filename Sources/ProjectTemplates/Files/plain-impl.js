/**
 * What a procedure returns is what the client gets, with isSuccessful added.
 *
 * @param {string} name
 */
function greet(name) {
    return { text: `Hello, ${name}!` };
}
