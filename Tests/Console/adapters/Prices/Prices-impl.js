WL.Server.createEventSource({
    name: "Feed",
    poll: { interval: 2, onPoll: "readFeed" }
});

function readFeed() {
    throw new Error("the feed is not there");
}

function convert(amount, currency) {
    return { text: amount + " " + currency };
}

function whoAmI() {
    var user = WL.Server.getActiveUser();
    return { user: user ? user.userId : "nobody" };
}

function fail() {
    return missing.value;
}
