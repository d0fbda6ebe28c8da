#if os(iOS)
import SwiftUI
import UIKit
import UserNotifications

/// The app. In Xcode: a new iOS app with the package's product WorklightClient, the folders Model and SwiftUI, and
/// worklight.plist in its resources.
@main
struct NativePushApp: App {
    @UIApplicationDelegateAdaptor private var delegate: AppDelegate

    var body: some Scene {
        WindowGroup { NativePushView(screen: delegate.screen) }
    }
}

/// Takes the token and the notifications from the system.
final class AppDelegate: NSObject, UIApplicationDelegate {
    let screen = Screen()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        screen.start()
        Task {
            _ = try? await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound])
            application.registerForRemoteNotifications()
        }
        return true
    }

    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data) {
        screen.app?.didRegister(deviceToken: deviceToken)
    }

    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error) {
        screen.lines.append("No token: \(error.localizedDescription)")
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        screen.app?.didReceive(userInfo)
        return .newData
    }
}
#endif
