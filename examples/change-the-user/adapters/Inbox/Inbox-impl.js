WL.Server.createEventSource({
    name: "Mail",
    onUserSubscribe: "welcome",
    onUserChange: "mayChange"
});

function welcome(userSubscription) {
    userSubscription.state = { since: new Date().toISOString(), changes: 0 };
    userSubscription.save();
}

function mayChange(change) {
    var previous = WL.Server.getUserNotificationSubscription("Mail", change.previousUserId);
    var isFirst = change.previousUserId === "ann";
    WL.Logger.warn(change.device + ": " + change.previousUserId + " -> " + change.userId
        + ", known since " + previous.state.since);
    return { isSuccessful: isFirst, hint: isFirst ? "welcome" : "ask " + change.previousUserId + " to log out" };
}
