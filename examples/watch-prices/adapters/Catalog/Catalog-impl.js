/// <reference path="../../../../adapters/worklight.d.ts" />

/**
 * An article of the shop. XML has no numbers, so the price is a text.
 *
 * @typedef {{ name: string, price: string }} Article
 */

// The shop answers in XML; what comes here is an object.
function getPrices() {
    var response = WL.Server.invokeHttp({ method: "get", path: "/prices", returnedContentType: "xml" });
    if (!response.isSuccessful || response.statusCode !== 200) {
        return { isSuccessful: false, errors: response.errors };
    }
    /** @type {Article[]} */
    var articles = response.prices.article;
    return {
        prices: articles.map(function (article) {
            return { name: article.name, price: Number(article.price) };
        })
    };
}
