import TestSupport

/// The project of all conversations: one hybrid and one native application, adapters that log in, notify
/// and respond.
enum ConversationProject {
    /// The ways in which applications ask for their users when they connect.
    enum Login: Sendable {
        case form, adapter, nobody

        fileprivate var realm: String { self == .adapter ? "AdapterRealm" : "PushAppRealm" }
        fileprivate var mobileTest: String {
            switch self {
            case .form: "FormMobile"
            case .adapter: "AdapterMobile"
            case .nobody: "NobodyMobile"
            }
        }
        fileprivate var webTest: String {
            switch self {
            case .form: "FormWeb"
            case .adapter: "AdapterWeb"
            case .nobody: "NobodyWeb"
            }
        }
    }

    static func make(_ login: Login) throws -> TemporaryFolder {
        let shared = LoginProject.files(
            realm: login.realm, slow: 500, eventSource: ", securityTest: 'PushTest', onUserChange: 'changed'")
        let own = [
            "apps/MyApp/application-descriptor.xml": hybrid(login),
            "apps/MyNative/application-descriptor.xml": native(login),
            "server/conf/SMSConfig.xml": """
            <sms:config xmlns:sms="http://www.worklight.com/sms/config/SMSConfig.xsd">
            <gateway id="gate" hostname="sms.example.com" port="8080" programName="send" toParamName="to"
                textParamName="text"/>
            </sms:config>
            """,
            "adapters/EventAdapter/EventAdapter.xml": adapterXML("EventAdapter", procedures: ["seen"]),
            "adapters/EventAdapter/EventAdapter-impl.js": events,
        ]
        return try TemporaryFolder(shared.merging(own) { $1 })
    }

    private static func hybrid(_ login: Login) -> String {
        """
        <application id="MyApp" platformVersion="6.2.0.0" xmlns="http://www.worklight.com/application-descriptor">
          <iphone bundleId="com.example.app" version="1.0" securityTest="\(login.mobileTest)"><pushSender password="p"/></iphone>
          <android version="1.0" securityTest="\(login.mobileTest)"><pushSender key="k" senderId="42"/></android>
          <windowsPhone8 version="1.0" securityTest="\(login.mobileTest)"><pushSender/></windowsPhone8>
          <windows8 version="1.0" securityTest="\(login.mobileTest)"/>
          <windowsPhoneUniversal version="1.0" securityTest="\(login.mobileTest)"/>
          <blackberry version="1.0" securityTest="\(login.mobileTest)"/>
          <blackberry10 version="1.0" securityTest="\(login.mobileTest)"/>
          <mobileWebApp version="1.0" securityTest="\(login.webTest)"/>
          <desktopBrowser version="1.0" securityTest="\(login.webTest)"/>
          <smsGateway id="gate"/>
          <tags><tag><name>news</name></tag><tag><name>sport</name></tag></tags>
        </application>
        """
    }

    private static func native(_ login: Login) -> String {
        """
        <nativeAndroidApp id="MyNative" platformVersion="7.1" version="1.0" securityTest="\(login.mobileTest)"
            xmlns="http://www.worklight.com/native-android-descriptor">
          <displayName>N</displayName><pushSender key="k" senderId="42"/>
          <tags><tag><name>news</name></tag></tags>
        </nativeAndroidApp>
        """
    }

    private static let events = """
        var last = null;
        function seen() { return { last: last }; }
        WL.Server.setEventHandlers([WL.Server.createEventHandler({ name: 'near' }, function (event) { last = event; })]);
        """
}
