/*
 * Added by 'lamplighter new export', to run once on the old server: writes the subscriptions of the users in a file, one JSON object on each
 * line, for 'lamplighter import-devices'. Deploy the adapter without it afterwards.
 */
function exportProcedure() {
    var adapter = "{{adapter}}";
    var sources = ["{{sources}}"];
    var output = "{{output}}";
    var reader = new java.io.BufferedReader(
        new java.io.InputStreamReader(new java.io.FileInputStream("{{users}}"), "UTF-8"));
    var writer = new java.io.BufferedWriter(
        new java.io.OutputStreamWriter(new java.io.FileOutputStream(output), "UTF-8"));
    var result = { users: 0, devices: 0, phoneNumbers: 0, output: output };
    var line, user, subscription, devices, device, i, j;
    try {
        while ((line = reader.readLine()) !== null) {
            user = String(line).replace(/^\s+|\s+$/g, "");
            if (user === "") { continue; }
            result.users += 1;
            for (i = 0; i < sources.length; i += 1) {
                subscription = WL.Server.getUserNotificationSubscription(adapter + "." + sources[i], user);
                if (subscription === null || subscription === undefined) { continue; }
                devices = subscription.getDeviceSubscriptions();
                for (j = 0; j < devices.length; j += 1) {
                    device = devices[j];
                    // A phone number has no token, and the gateway of its subscription is not known here.
                    if (!device.token) { result.phoneNumbers += 1; continue; }
                    writer.write(JSON.stringify({
                        application: device.applicationId, device: device.device, platform: device.platform,
                        token: device.token, user: user, eventSource: adapter + "." + sources[i], alias: device.alias,
                        options: device.options, state: subscription.state
                    }));
                    writer.newLine();
                    result.devices += 1;
                }
            }
        }
    } finally {
        writer.close();
        reader.close();
    }
    return result;
}
