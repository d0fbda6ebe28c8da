/**
 * The back end answers GET /items?q=… with a JSON array, which comes as the member `array`.
 *
 * @param {string} text
 */
function findItems(text) {
    const response = WL.Server.invokeHttp({
        method: "get",
        path: "/items",
        parameters: { q: text },
        returnedContentType: "json"
    });
    if (!response.isSuccessful) {
        return { isSuccessful: false, errors: response.errors };
    }
    if (response.statusCode !== 200) {
        return { isSuccessful: false, errors: [`the back end answered ${response.statusCode}`] };
    }
    return { items: response.array.map(({ id, name }) => ({ id, name })) };
}
