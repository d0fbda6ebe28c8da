// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

// Headers without annotations are imported so, and applications are written against that.
public import Foundation

/// The data that an application passes to the adapter with a subscription (seed 004, 3.2).
open class WLPushOptions: NSObject {
    private var parameters: [AnyHashable: Any] = [:]

    /// Adds a parameter, or replaces the one with the same name (3.2.1).
    open func addSubscriptionParameter(_ name: String!, _ value: String!) {
        guard let name else { return }
        parameters[name] = value
    }

    /// Adds all parameters of a dictionary (3.2.2).
    open func addSubscriptionParameters(_ parameters: [AnyHashable: Any]!) {
        self.parameters.merge(parameters ?? [:]) { _, new in new }
    }

    /// Returns the value of a parameter; `nil` without a parameter of this name (3.2.3).
    open func getSubscriptionParameter(_ name: String!) -> String! {
        name.flatMap { parameters[$0] }.map { $0 as? String ?? "\($0)" }
    }

    /// Returns all parameters (3.2.4).
    open func getSubscriptionParameters() -> [AnyHashable: Any]! { parameters }
}
