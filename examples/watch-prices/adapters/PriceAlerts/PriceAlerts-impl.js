/// <reference path="../../../../adapters/worklight.d.ts" />

WL.Server.createEventSource({ name: "prices", poll: { interval: 5, onPoll: checkPrices } });

function checkPrices() {
    var catalog = WL.Server.invokeProcedure({ adapter: "Catalog", procedure: "getPrices" });
    if (!catalog.isSuccessful) return catalog;
    var told = 0;
    /** @type {{ name: string, price: number }[]} */
    var articles = catalog.prices;
    for (var i = 0; i < articles.length; i++) {
        var article = articles[i];
        var watchers = WL.Server.invokeProcedure({
            adapter: "Watchlist", procedure: "takeWatchers", parameters: [article.name, article.price]
        });
        told += tell(watchers.users, article);
    }
    return { told: told };
}

/**
 * @param {string[]} users
 * @param {{ name: string, price: number }} article
 */
function tell(users, article) {
    var told = 0;
    users.forEach(function (user) {
        var subscription = WL.Server.getUserNotificationSubscription("PriceAlerts.prices", user);
        if (subscription === null) return;
        var text = article.name + " costs " + article.price + " now";
        WL.Server.notifyAllDevices(subscription, WL.Server.createDefaultNotification(text, 1, { article: article.name }));
        told += 1;
    });
    return told;
}

/**
 * To everybody who has subscribed to the tag.
 *
 * @param {string} text
 */
function announce(text) {
    return { wait: WL.Server.sendMessage("PriceWatch", { message: { alert: text }, target: { tagNames: ["offers"] } }) };
}
