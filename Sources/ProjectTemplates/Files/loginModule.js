/**
 * The login module {{name}}: checks the data that the authenticator has collected. The functions and their results are those of
 * com.worklight.server.auth.api.WorkLightAuthLoginModule.
 */

var username = null;
var password = null;

/** Takes the parameters of the login module in authenticationConfig.xml, once for each session. */
function init(options) {}

/** Returns true to accept the login. False, or an error with a message for the user, refuses it. */
function login(authenticationData) {
    username = authenticationData.username;
    password = authenticationData.password;
    // Check the password here, for example with WL.Server.invokeProcedure. Until then every login is refused.
    throw new Error("{{name}}: the password is not checked yet");
}

/** Returns the user. Runs after login has returned true. */
function createIdentity(loginModule) {
    var attributes = { AuthenticationDate: new Date().toISOString() };
    return new UserIdentity(loginModule, username, null, null, attributes, password);
}

/** Runs after a logout. */
function logout() {
    username = password = null;
}

/** Runs when a login is abandoned. */
function abort() {
    username = password = null;
}
