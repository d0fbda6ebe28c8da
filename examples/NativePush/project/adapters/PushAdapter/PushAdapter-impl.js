// What the app of examples/NativePush subscribes to.

WL.Server.createEventSource({
    name: "PushEventSource",
    securityTest: "PushApplication-strong-mobile-securityTest"
});

/**
 * @param {string} userId
 * @param {string} notificationText
 */
function submitNotification(userId, notificationText) {
    var userSubscription = WL.Server.getUserNotificationSubscription("PushAdapter.PushEventSource", userId);
    if (userSubscription === null) {
        return { result: "No subscription found for user :: " + userId };
    }
    var badgeDigit = 1;
    WL.Server.notifyAllDevices(
        userSubscription,
        WL.Server.createDefaultNotification(notificationText, badgeDigit, { custom: "data" })
    );
    return { result: "Notification sent to user :: " + userId };
}
