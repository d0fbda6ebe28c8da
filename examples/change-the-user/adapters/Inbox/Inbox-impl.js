WL.Server.createEventSource({
    name: "Mail",
    onUserSubscribe: "welcome",
    onUserChange: "mayChange"
});

/** @param {WL.UserSubscription} userSubscription */
function welcome(userSubscription) {
    userSubscription.state = { since: new Date().toISOString(), changes: 0 };
    userSubscription.save();
}

/** @param {WL.UserChange} change */
function mayChange(change) {
    var previous = WL.Server.getUserNotificationSubscription("Mail", change.previousUserId);
    var isFirst = change.previousUserId === "ann";
    WL.Logger.warn(change.device + ": " + change.previousUserId + " -> " + change.userId
        + ", known since " + (previous ? previous.state.since : "now"));
    return { isSuccessful: isFirst, hint: isFirst ? "welcome" : "ask " + change.previousUserId + " to log out" };
}
