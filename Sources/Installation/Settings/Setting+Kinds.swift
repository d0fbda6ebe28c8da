import AdapterRuntime
import Core
import Foundation
import HTTPServer

/// A key path to a setting that is read and written.
typealias SettingPath<Root, Value> = any Sendable & WritableKeyPath<Root, Value>

/// A unit of settings that are durations.
enum TimeUnit: Double {
    case seconds = 1
    case days = 86_400
}

/// Settings of the usual kinds. If a key path names the value, the shown string is the one that was applied.
extension Setting {
    /// A setting whose value is never shown.
    static func secret(
        _ key: String, _ expected: String, unset: String = "not set",
        _ apply: @escaping @Sendable (inout Settings, String) -> Bool
    ) -> Setting {
        Setting(key: key, expected: expected, isSecret: true, unset: unset, show: { _ in nil }, apply: apply)
    }

    /// Makes a setting that is a string, such as a file's path.
    ///
    /// - Parameter isValid: returns true if the setting accepts a string; by default any that is not empty.
    static func text(
        _ key: String, _ expected: String, of path: SettingPath<Settings, String?>, isSecret: Bool = false,
        unset: String = "not set", isValid: @escaping @Sendable (String) -> Bool = { !$0.isEmpty }
    ) -> Setting {
        Setting(
            key: key, expected: expected, isSecret: isSecret, unset: unset, show: { $0[keyPath: path] }
        ) { settings, text in
            settings[keyPath: path] = text
            return isValid(text)
        }
    }

    /// One of several words.
    static func choice<Value: RawRepresentable & Sendable>(
        _ key: String, _ expected: String, of path: SettingPath<Settings, Value>
    ) -> Setting where Value.RawValue == String {
        Setting(key: key, expected: expected, show: { $0[keyPath: path].rawValue }) { settings, text in
            guard let value = Value(rawValue: text) else { return false }
            settings[keyPath: path] = value
            return true
        }
    }

    /// `true` or `false`.
    static func flag(_ key: String, of path: SettingPath<Settings, Bool>) -> Setting {
        Setting(key: key, expected: "true or false", show: { $0[keyPath: path] ? "true" : "false" }) { settings, text in
            guard let isOn = Bool(text) else { return false }
            settings[keyPath: path] = isOn
            return true
        }
    }

    /// A whole number.
    ///
    /// - Parameter unit: the value for the number 1, such as `1 << 20` bytes for a number of megabytes.
    static func count(
        _ key: String, _ expected: String, of path: SettingPath<Settings, Int>, unit: Int = 1, from minimum: Int,
        to maximum: Int = 1 << 20
    ) -> Setting {
        Setting(
            key: key, expected: "a whole number of \(expected)", show: { "\($0[keyPath: path] / unit)" }
        ) { settings, text in
            guard let number = Int(text), (minimum...maximum).contains(number) else { return false }
            settings[keyPath: path] = number * unit
            return true
        }
    }

    /// A duration that always has a value.
    static func duration(
        _ key: String, of path: SettingPath<Settings, Duration>, unit: TimeUnit = .seconds
    ) -> Setting {
        duration(key, unit, unset: "not set", show: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 })
    }

    /// A duration that may have no value.
    static func duration(
        _ key: String, optional path: SettingPath<Settings, Duration?>, unit: TimeUnit = .seconds,
        unset: String = "no limit"
    ) -> Setting {
        duration(key, unit, unset: unset, show: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 })
    }

    private static func duration(
        _ key: String, _ unit: TimeUnit, unset: String, show: @escaping @Sendable (Settings) -> Duration?,
        set: @escaping @Sendable (inout Settings, Duration) -> Void
    ) -> Setting {
        Setting(
            key: key, expected: "a positive number of \(unit)", unset: unset,
            show: { settings in show(settings).map { $0.text(in: unit) } }
        ) { settings, text in
            guard let number = Double(text), number > 0, number * unit.rawValue < 1e10 else { return false }
            set(&settings, .seconds(number * unit.rawValue))
            return true
        }
    }

    /// Addresses and ranges of addresses.
    static func addresses(
        _ key: String, show: @escaping @Sendable (Settings) -> TrustedProxies,
        set: @escaping @Sendable (inout Settings, TrustedProxies) -> Void
    ) -> Setting {
        Setting(
            key: key, expected: "addresses and ranges such as 10.0.0.0/8, separated by commas", unset: "none",
            show: { show($0).list.listText }
        ) { settings, text in
            let list = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let addresses = try? TrustedProxies(list) else { return false }
            set(&settings, addresses)
            return true
        }
    }

    /// All adapters, none, or some by their names.
    static func adapters(
        _ key: String, unset: String = "not set",
        show: @escaping @Sendable (Settings) -> RuntimeSettings.AdapterSelection?,
        set: @escaping @Sendable (inout Settings, RuntimeSettings.AdapterSelection) -> Void
    ) -> Setting {
        Setting(
            key: key, expected: "true, false, or the names of adapters, separated by commas", unset: unset,
            show: { settings in show(settings).map(\.text) }
        ) { settings, text in
            let names = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            switch names {
            case ["true"]: set(&settings, .all)
            case ["false"]: set(&settings, .none)
            default: set(&settings, .named(Set(names)))
            }
            return !names.isEmpty && names.allSatisfy { !$0.isEmpty }
        }
    }
}

extension Collection<String> {
    /// The items in the alphabet's order, separated by commas; `nil` for none.
    var listText: String? { isEmpty ? nil : sorted().joined(separator: ", ") }
}

extension Double {
    /// The number without a fraction that is zero.
    var settingText: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}

extension Duration {
    fileprivate func text(in unit: TimeUnit) -> String { (inSeconds / unit.rawValue).settingText }
}

extension RuntimeSettings.AdapterSelection {
    fileprivate var text: String {
        switch self {
        case .all: "true"
        case .none: "false"
        case .named(let names): names.sorted().joined(separator: ", ")
        }
    }
}
