import Core
import PushModel
import Testing

@Suite("Malformed notifications")
struct NotificationErrorTests {
    private static let badge =
        "expected a whole number from 0 or one of none, activity, alarm, alert, attention, available, away, busy, error, "
        + "newMessage, paused, playing, unavailable"

    @Test(
        "The error names the key, what was expected and what was found",
        arguments: [
            (#""Hello""#, #"options: expected an object, got the string 'Hello'"#),
            ("null", "options: expected an object, got null"),
            (#"{"APNS":[]}"#, "APNS: expected an object, got an array"),
            (#"{"GCM":"x"}"#, #"GCM: expected an object, got the string 'x'"#),
            (#"{"MPNS":1}"#, "MPNS: expected an object, got the number 1"),
            (#"{"SMS":true}"#, "SMS: expected an object, got true"),
            (#"{"WNS":1}"#, "WNS: expected an object, got the number 1"),
            (#"{"APNS":{"alert":5}}"#, "APNS.alert: expected a string or an object, got the number 5"),
            (#"{"APNS":{"badge":"one"}}"#, #"APNS.badge: expected a whole number, got the string 'one'"#),
            (#"{"APNS":{"badge":"1.5"}}"#, #"APNS.badge: expected a whole number, got the string '1.5'"#),
            (#"{"APNS":{"badge":"0x10"}}"#, #"APNS.badge: expected a whole number, got the string '0x10'"#),
            (#"{"APNS":{"badge":""}}"#, #"APNS.badge: expected a whole number, got the string ''"#),
            (#"{"APNS":{"badge":1.5}}"#, "APNS.badge: expected a whole number, got the number 1.5"),
            (#"{"APNS":{"badge":1e300}}"#, "APNS.badge: expected a whole number, got the number 1e+300"),
            (#"{"APNS":{"sound":{}}}"#, "APNS.sound: expected a string, got an object"),
            (#"{"APNS":{"actionKey":true}}"#, "APNS.actionKey: expected a string, got true"),
            (#"{"APNS":{"payload":"x"}}"#, #"APNS.payload: expected an object, got the string 'x'"#),
            (#"{"APNS":{"category":[]}}"#, "APNS.category: expected a string, got an array"),
            (
                #"{"APNS":{"type":"LOUD"}}"#,
                #"APNS.type: expected one of "DEFAULT", "SILENT", "MIXED", got the string 'LOUD'"#
            ),
            (#"{"APNS":{"type":{}}}"#, "APNS.type: expected a string, got an object"),
            (#"{"GCM":{"alert":{}}}"#, "GCM.alert: expected a string, got an object"),
            (#"{"GCM":{"sound":false}}"#, "GCM.sound: expected a string, got false"),
            (#"{"GCM":{"payload":[]}}"#, "GCM.payload: expected an object, got an array"),
            (#"{"GCM":{"delayWhileIdle":1}}"#, "GCM.delayWhileIdle: expected true or false, got the number 1"),
            (#"{"GCM":{"timeToLive":"soon"}}"#, #"GCM.timeToLive: expected a number, got the string 'soon'"#),
            (#"{"SMS":{"text":{}}}"#, "SMS.text: expected a string, got an object"),
            (#"{"WNS":{"raw":1}}"#, "WNS.raw: expected an object, got the number 1"),
            (#"{"WNS":{"raw":{"payload":1}}}"#, "WNS.raw.payload: expected an object, got the number 1"),
            (
                #"{"WNS":{"toast":{"visual":{"binding":1}}}}"#,
                "WNS.toast.visual.binding: expected an array or an object, got the number 1"
            ),
            (
                #"{"WNS":{"tile":{"visual":{"binding":[{"template":"T"},{"template":"T","text":[{"content":[]}]}]}}}}"#,
                "WNS.tile.visual.binding[1].text[0].content: expected a string, got an array"
            ),
            (
                #"{"WNS":{"toast":{"visual":{"binding":{"text":[{"content":"a"}]}}}}}"#,
                #"WNS.toast.visual.binding.template: expected the name of a template of Windows, such as "ToastText01", "#
                    + "got null"
            ),
            (
                #"{"WNS":{"tile":{"visual":{"binding":[{"template":"T"},{"template":""}]}}}}"#,
                #"WNS.tile.visual.binding[1].template: expected the name of a template of Windows, such as "#
                    + #""TileSquareText04", got the string ''"#
            ),
            (
                #"{"WNS":{"badge":{"value":[]}}}"#,
                "WNS.badge.value: \(badge), got an array"
            ),
            (#"{"WNS":{"badge":{"value":0.5}}}"#, "WNS.badge.value: \(badge), got the number 0.5"),
            (#"{"WNS":{"badge":{"value":-1}}}"#, "WNS.badge.value: \(badge), got the number -1"),
            (
                #"{"WNS":{"badge":{"value":"newmessage"}}}"#,
                #"WNS.badge.value: \#(badge), got the string 'newmessage'"#
            ),
            (#"{"alert":{}}"#, "alert: expected a string, got an object"),
            (#"{"badge":true}"#, "badge: expected a whole number, got true"),
            (#"{"activateButtonLabel":[]}"#, "activateButtonLabel: expected a string, got an array"),
            (#"{"payload":"x"}"#, #"payload: expected an object, got the string 'x'"#),
        ])
    func errors(options: String, description: String) throws {
        let options = try JSONValue(parsing: options)
        #expect {
            try PushNotification(options: options)
        } throws: { error in
            error is NotificationError && "\(error)" == description
        }
    }

    @Test("A long value is named by its kind only")
    func longValue() {
        let text = JSONValue.string(String(repeating: "x", count: 100))
        #expect {
            try PushNotification(options: ["APNS": ["badge": text]])
        } throws: { error in
            "\(error)" == "APNS.badge: expected a whole number, got a string"
        }
    }
}
