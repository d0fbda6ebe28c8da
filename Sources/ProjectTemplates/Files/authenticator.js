/**
 * The authenticator {{name}}: takes a user name and a password from a form that the app posts to ADDRESS, as IBM's tutorial on custom
 * authentication does. The functions and their results are those of com.worklight.server.auth.api.WorkLightAuthenticator.
 */

/** The app posts its form to a path that contains this: submitLoginForm("/my_custom_auth_request_url", …). */
var ADDRESS = "my_custom_auth_request_url";

var username = null;
var password = null;

/** Takes the parameters of the realm in authenticationConfig.xml, once for each session. */
function init(options) {}

/** Runs for each request of a session that is not logged in to the realm. */
function processRequest(request, response, isAccessToProtectedResource) {
    if (request.getRequestURI().indexOf(ADDRESS) >= 0) {
        username = request.getParameter("username");
        password = request.getParameter("password");
        if (username && password) {
            return AuthenticationResult.createFrom(AuthenticationStatus.SUCCESS);
        }
        return ask(response, "Please enter username and password");
    }
    if (!isAccessToProtectedResource) {
        return AuthenticationResult.createFrom(AuthenticationStatus.REQUEST_NOT_RECOGNIZED);
    }
    return ask(response);
}

/** Returns the data for the login module. Runs after SUCCESS. */
function getAuthenticationData() {
    return { username: username, password: password };
}

/** Runs when the login module has refused the login. The message is that of the error that it threw, or null. */
function processAuthenticationFailure(request, response, errorMessage) {
    return ask(response, errorMessage);
}

/** Runs when the user is logged in. Returns true if it has written the response, or false to continue the request. */
function changeResponseOnSuccess(request, response) {
    if (request.getRequestURI().indexOf(ADDRESS) < 0) {
        return false;
    }
    write(response, { authStatus: "complete" });
    return true;
}

/** Asks for the user. Only the message of a refusal is in the response: the first question has no errorMessage. */
function ask(response, errorMessage) {
    write(response, { authStatus: "required", errorMessage: errorMessage });
    return AuthenticationResult.createFrom(AuthenticationStatus.CLIENT_INTERACTION_REQUIRED);
}

function write(response, object) {
    response.setContentType("application/json; charset=UTF-8");
    response.setHeader("Cache-Control", "no-cache, must-revalidate");
    response.getWriter().print(JSON.stringify(object));
}
