/**
 * The login module {{name}}: checks what the authenticator has collected. The functions and their results are those of
 * com.worklight.server.auth.api.WorkLightAuthLoginModule.
 */

var username = null;
var password = null;

/** Takes the parameters of the login module in authenticationConfig.xml, once for each session. */
function init(options) {}

/** True lets the user in. False, or a thrown error with a message for the user, does not. */
function login(authenticationData) {
    username = authenticationData.username;
    password = authenticationData.password;
    // Check the password here, for example with WL.Server.invokeProcedure. Until then nobody is let in.
    throw new Error("{{name}}: the password is not checked yet");
}

/** The user, after login has returned true. */
function createIdentity(loginModule) {
    var attributes = { AuthenticationDate: new Date().toISOString() };
    return new UserIdentity(loginModule, username, null, null, attributes, password);
}

/** Runs after a logout. */
function logout() {
    username = password = null;
}

/** Runs when a login is broken off. */
function abort() {
    username = password = null;
}
