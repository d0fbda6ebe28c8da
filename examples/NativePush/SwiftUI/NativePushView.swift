#if canImport(SwiftUI)
import Observation
import SwiftUI
import WorklightClient

/// What the screen shows.
@MainActor @Observable
final class Screen {
    var lines: [String] = []
    @ObservationIgnored private(set) var app: NativePush?

    /// The shared client reads worklight.plist from the app's resources and calls back on the main queue.
    func start() {
        guard app == nil, let client = WLClient.sharedInstance() else { return }
        app = NativePush(client: client) { line in
            Task { @MainActor in self.lines.append(line) }
        }
    }
}

/// The five buttons, and below them what happened.
struct NativePushView: View {
    let screen: Screen

    var body: some View {
        VStack(spacing: 12) {
            Text("Native Push Notifications").font(.headline)
            button("CONNECT") { $0.connect() }
            button("PUSH SUPPORTED?") { $0.isPushSupported() }
            button("SUBSCRIBED?") { $0.isSubscribed() }
            button("SUBSCRIBE") { $0.subscribe() }
            button("UNSUBSCRIBE") { $0.unsubscribe() }
            ScrollView {
                Text(screen.lines.joined(separator: "\n"))
                    .font(.footnote.monospaced())
                    .frame(maxWidth: .infinity, alignment: .leading)
                    .textSelection(.enabled)
            }
        }
        .padding()
        .onAppear { screen.start() }
    }

    private func button(_ title: String, _ action: @escaping @MainActor (NativePush) -> Void) -> some View {
        Button(title) { if let app = screen.app { action(app) } }
            .frame(maxWidth: .infinity)
            .buttonStyle(.borderedProminent)
    }
}
#endif
