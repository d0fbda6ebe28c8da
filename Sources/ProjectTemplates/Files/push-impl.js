// Devices subscribe to {{name}}.News. A back end calls notifyUser, which notifies all devices of the user.

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
 * Notifies all devices of a user.
 *
 * @param {string} userId
 * @param {string} message
 */
function notifyUser(userId, message) {
    const subscription = WL.Server.getUserNotificationSubscription("{{name}}.News", userId);
    if (subscription === null) {
        return { isSuccessful: false, errors: [`${userId} has no device that is subscribed`] };
    }
    const badge = 1;
    WL.Server.notifyAllDevices(subscription, WL.Server.createDefaultNotification(message, badge, { source: "{{name}}" }));
    return { devices: subscription.getDeviceSubscriptions().length };
}
