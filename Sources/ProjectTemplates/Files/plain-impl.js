/**
 * Returns a greeting. The client receives the returned object, with the added member isSuccessful.
 *
 * @param {string} name
 */
function greet(name) {
    return { text: `Hello, ${name}!` };
}
