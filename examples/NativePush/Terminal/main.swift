import Dispatch
import Foundation
import WorklightClient

/// The app in a terminal: a line for each button.
struct Arguments {
    var settings = "examples/NativePush/worklight.plist"
    var sandbox: String?
    var folder = ".lamplighter/native-push"
    /// In seconds.
    var timeout = 10

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { throw UsageError() }
            switch option {
            case "--settings": settings = value
            case "--sandbox": sandbox = value
            case "--folder": folder = value
            case "--timeout":
                guard let seconds = Int(value), seconds > 0 else { throw UsageError() }
                timeout = seconds
            default: throw UsageError()
            }
        }
    }

    struct UsageError: Error, CustomStringConvertible {
        let description = """
            usage: native-push [--settings worklight.plist] [--sandbox http://127.0.0.1:2190] [--folder .lamplighter/native-push]
                               [--timeout 10]
              --settings  where the server is
              --sandbox   the page of push-sandbox, from which the device hears what arrived for it
              --folder    where the device keeps its id and its token
              --timeout   how long a request may take, in seconds
            """
    }
}

let menu = """

    1 CONNECT   2 PUSH SUPPORTED?   3 SUBSCRIBED?   4 SUBSCRIBE   5 UNSUBSCRIBE   q quit
    """

do {
    let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    let folder = URL(fileURLWithPath: arguments.folder)
    var settings = try WorklightSettings(contentsOf: URL(fileURLWithPath: arguments.settings))
    settings.requestTimeout = .seconds(arguments.timeout)
    let client = WLClient(settings: settings, folder: folder)
    client.callbackQueue = DispatchQueue(label: "screen")
    OCLogger.folder = folder
    let token = try SandboxPhone.token(in: folder)
    show("Device token :: \(SandboxPhone.digits(token))")
    let app = NativePush(client: client) { show($0) }
    app.didRegister(deviceToken: token)
    if let sandbox = arguments.sandbox {
        let push = client.push
        // The main thread waits for buttons.
        Task.detached {
            await SandboxPhone(page: sandbox, token: token).listen { push.didReceiveRemoteNotification($0) }
        }
    }
    show(menu)
    while let line = readLine() {
        switch line.trimmingCharacters(in: .whitespaces).lowercased() {
        case "1", "connect": app.connect()
        case "2", "push supported?": app.isPushSupported()
        case "3", "subscribed?": app.isSubscribed()
        case "4", "subscribe": app.subscribe()
        case "5", "unsubscribe": app.unsubscribe()
        case "q", "quit": exit(0)
        default: show(menu)
        }
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(2)
}
