import Foundation
import PushModel
import WorklightProject

extension PushPlan {
    /// A platform that an application is built for, and what that needs.
    private struct PlatformRequirement {
        let application: String
        let service: PushService
        /// The location of the `pushSender` in the descriptor.
        let place: String
        let advice: String
    }

    /// The push services that the project's descriptors require and that have no credentials. In production this prevents the start: otherwise the
    /// operator would notice it only when phones stay silent.
    var missing: [String] {
        needs.filter { sender(of: $0.service, $0.application) == nil }.map { need in
            "\(need.place): \(need.application) sends through \(need.service), and there are no credentials: \(need.advice)"
        }
    }

    private var needs: [PlatformRequirement] {
        project.applications.flatMap { application in
            application.environments.compactMap { environment -> PlatformRequirement? in
                guard let sender = environment.pushSender else { return nil }
                let place = "\(application.path):\(sender.line)"
                for channel in PushChannels.all {
                    guard let advice = channel.remedy(for: environment, prefix: "applications.\(application.id)") else {
                        continue
                    }
                    return PlatformRequirement(
                        application: application.id, service: channel.service, place: place, advice: advice)
                }
                return nil
            }
        }
    }

    private func sender(of service: PushService, _ application: String) -> (any PushSender)? {
        senders[.init(service: service, applicationID: application)] ?? senders[.init(service: service)]
    }

    /// The credentials in use and the unused channels, one readable line each; no secrets.
    var report: [String] {
        let different = senders.filter { route, sender in
            route.applicationID == nil || sender.text != senders[.init(service: route.service)]?.text
        }
        let lines = different.sorted { $0.key < $1.key }.map { route, sender in "\(route): \(sender.text)" }
        let unused = PushChannels.all.filter { channel in
            channel.needsCredentials && !senders.keys.contains { $0.service == channel.service }
        }.map { $0.service.rawValue }
        return lines + (unused.isEmpty ? [] : ["\(unused.joined(separator: ", ")): no credentials"])
    }
}
