// Devices subscribe to {{name}}.News. A back end calls notifyUser, and all devices of the user are notified.

WL.Server.createEventSource({
    name: "News",
{{option}}    onDeviceSubscribe: "deviceSubscribed"
});

/**
 * @param {WL.UserSubscription} userSubscription
 * @param {WL.DeviceSubscription} deviceSubscription
 */
function deviceSubscribed(userSubscription, deviceSubscription) {
    WL.Logger.info(`${deviceSubscription.device} of ${userSubscription.userId} has subscribed`);
}

/**
 * @param {string} userId
 * @param {string} text
 */
function notifyUser(userId, text) {
    const subscription = WL.Server.getUserNotificationSubscription("{{name}}.News", userId);
    if (subscription === null) {
        return { isSuccessful: false, errors: [`${userId} has no device that is subscribed`] };
    }
    const badge = 1;
    WL.Server.notifyAllDevices(subscription, WL.Server.createDefaultNotification(text, badge, { source: "{{name}}" }));
    return { devices: subscription.getDeviceSubscriptions().length };
}
