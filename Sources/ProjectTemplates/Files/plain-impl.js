// What a procedure returns is what the client gets, with isSuccessful added.
function greet(name) {
    return { text: `Hello, ${name}!` };
}
