import ArgumentParser
import Gateway
import PushModel

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show adapters, problems, polls, devices, subscriptions and deliveries.")

    @OptionGroup var options: ProjectOptions

    func run() async throws {
        let answer = try await options.answer(ManagementCall("GET", "overview"))
        guard !Console.isJSON else { return Console.writeResult(answer.text) }
        let value = try answer.value
        func number(_ key: String) -> String { value[key]?.text ?? "unknown" }
        func names(_ key: String) -> String {
            let names = value[key]?.array?.compactMap(\.string) ?? []
            return names.isEmpty ? "none" : names.joined(separator: ", ")
        }
        let deliveries = value["deliveries"]?.object?.members.map { "\($0.value.text) \($0.key)" } ?? []
        let variables = value["variables"]?.array?.compactMap(\.string) ?? []
        let rows = [
            ("Mode", value["mode"]?.string ?? ""), ("Store", value["store"]?.string ?? ""),
            ("Adapters", names("adapters")), ("Event sources", names("eventSources")),
            ("Variables", variables.isEmpty ? "none" : variables.joined(separator: "\n")),
            ("Failing polls", names("failingPolls")), ("Devices", number("devices")),
            ("Subscriptions", "\(number("subscriptions")), and \(number("smsSubscriptions")) by SMS"),
            ("Sessions", number("sessions")), ("Deliveries", deliveries.joined(separator: ", ")),
        ]
        Console.writeFields(rows)
        for problem in value["problems"]?.array ?? [] { Console.writeResult((problem.string ?? "").printable) }
    }
}
