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

function deviceSubscribeFunc(userSubscription, deviceSubscription) {
    WL.Logger.info("device " + deviceSubscription.device + " of " + userSubscription.userId + " has subscribed");
}

function deviceUnsubscribeFunc(userSubscription, deviceSubscription) {
    WL.Logger.info("device " + deviceSubscription.device + " of " + userSubscription.userId + " has unsubscribed");
}

// The back end answers {"messages": [{"userId", "text", "badge", "payload"}]}, and hands out each message once.
function getNotificationsFromBackend() {
    var response = WL.Server.invokeHttp({ method: "get", path: "/messages", returnedContentType: "json" });
    if (!response.isSuccessful || response.statusCode !== 200) {
        return;
    }
    response.messages.forEach(function (message) {
        send(message.userId, message.text, message.badge, message.payload);
    });
}

function submitNotification(userId, notificationText) {
    return send(userId, notificationText, 1, { foo: "bar" });
}

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
