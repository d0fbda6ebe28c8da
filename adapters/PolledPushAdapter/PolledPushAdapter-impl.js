// Every three seconds the back end is asked for messages, and each one becomes a notification.
// The notification has the flat form that Worklight knew before 5.0.6.

WL.Server.createEventSource({
    name: "PushEventSource",
    poll: {
        interval: 3,
        onPoll: getNotificationsFromBackend
    },
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
 * A message of the back end.
 *
 * @typedef {{ userId: string, text: string, badge: number, payload: any }} Message
 */

// The back end answers {"messages": [{"userId", "text", "badge", "payload"}]}, and hands out each message once.
function getNotificationsFromBackend() {
    var response = WL.Server.invokeHttp({ method: "get", path: "/messages", returnedContentType: "json" });
    if (!response.isSuccessful || response.statusCode !== 200) {
        return;
    }
    /** @type {Message[]} */
    var messages = response.messages;
    messages.forEach(function (message) {
        send(message.userId, message.text, message.badge, message.payload);
    });
}

/**
 * @param {string} userId
 * @param {string} notificationText
 */
function submitNotification(userId, notificationText) {
    return send(userId, notificationText, 1, { foo: "bar" });
}

/**
 * @param {string} userId
 * @param {string} text
 * @param {number} badge
 * @param {any} payload
 */
function send(userId, text, badge, payload) {
    var subscription = WL.Server.getUserNotificationSubscription("PolledPushAdapter.PushEventSource", userId);
    if (subscription === null) {
        return { result: "No subscription found for user :: " + userId };
    }
    WL.Server.notifyAllDevices(subscription, {
        alert: text,
        badge: badge,
        payload: payload,
        sound: "chime.mp3",
        activateButtonLabel: "Open"
    });
    return { result: "Notification sent to user :: " + userId };
}
