import TestSupport

/// A project with one native iOS application, whose users log in by a form, by an adapter, or not at all.
enum SDKTestProject {
    enum Login: Sendable {
        case form, adapter, nobody

        fileprivate var test: String {
            switch self {
            case .form: "FormMobile"
            case .adapter: "AdapterMobile"
            case .nobody: "NobodyMobile"
            }
        }
    }

    static func make(_ login: Login) throws -> TemporaryFolder {
        var files = LoginProject.files(realm: "PushAppRealm", slow: 3000, eventSource: "")
        files["apps/MyNative/application-descriptor.xml"] = """
            <nativeIOSApp id="MyNative" platformVersion="5.0.6" version="1.0" securityTest="\(login.test)"
                xmlns="http://www.worklight.com/native-ios-descriptor">
              <displayName>N</displayName><pushSender password="p"/>
            </nativeIOSApp>
            """
        return try TemporaryFolder(files)
    }
}
