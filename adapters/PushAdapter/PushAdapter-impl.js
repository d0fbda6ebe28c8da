// A back end calls submitNotification, and all devices of the user are notified.
// The notification has a block for each push service, as createDefaultNotification makes them (Worklight 5.0.6 and later).

WL.Server.createEventSource({
    name: "PushEventSource",
    securityTest: "PushAdapter-securityTest",
    onDeviceSubscribe: "deviceSubscribeFunc",
    onDeviceUnsubscribe: "deviceUnsubscribeFunc"
});

/**
 * @param {WL.UserSubscription} userSubscription
 * @param {WL.DeviceSubscription} deviceSubscription
 */
function deviceSubscribeFunc(userSubscription, deviceSubscription) {
    WL.Logger.info("device " + deviceSubscription.device + " of " + userSubscription.userId + " has subscribed");
}

/**
 * @param {WL.UserSubscription} userSubscription
 * @param {WL.DeviceSubscription} deviceSubscription
 */
function deviceUnsubscribeFunc(userSubscription, deviceSubscription) {
    WL.Logger.info("device " + deviceSubscription.device + " of " + userSubscription.userId + " has unsubscribed");
}

/**
 * @param {string} userId
 * @param {string} notificationText
 */
function submitNotification(userId, notificationText) {
    var subscription = WL.Server.getUserNotificationSubscription("PushAdapter.PushEventSource", userId);
    if (subscription === null) {
        return report("No subscription found for user", userId);
    }
    var badge = 1;
    WL.Server.notifyAllDevices(
        subscription,
        WL.Server.createDefaultNotification(notificationText, badge, { custom: "data" })
    );
    return report("Notification sent to user", userId);
}

/**
 * @param {string} text
 * @param {string} userId
 */
function report(text, userId) {
    return { result: text + " :: " + userId };
}
