/**
 * Returns the items that match a query. The back end responds to GET /items?q=… with a JSON array, which becomes the member `array`.
 *
 * @param {string} query
 */
function findItems(query) {
    const response = WL.Server.invokeHttp({
        method: "get",
        path: "/items",
        parameters: { q: query },
        returnedContentType: "json"
    });
    if (!response.isSuccessful) {
        return { isSuccessful: false, errors: response.errors };
    }
    if (response.statusCode !== 200) {
        return { isSuccessful: false, errors: [`the back end responded with status ${response.statusCode}`] };
    }
    return { items: response.array.map(({ id, name }) => ({ id, name })) };
}
