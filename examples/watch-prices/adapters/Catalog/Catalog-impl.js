/// <reference path="../../../../adapters/worklight.d.ts" />

// The shop answers in XML; what comes here is an object.
function getPrices() {
    var response = WL.Server.invokeHttp({ method: "get", path: "/prices", returnedContentType: "xml" });
    if (!response.isSuccessful || response.statusCode !== 200) {
        return { isSuccessful: false, errors: response.errors };
    }
    return {
        prices: response.prices.article.map(function (article) {
            return { name: article.name, price: Number(article.price) };
        })
    };
}
