/// The tags that the apps of one application may subscribe to: those of its descriptor (server-api 5.2) and
/// ``broadcast``.
public struct Tags: Sendable, Hashable {
    /// The reserved tag of broadcasts, `Push.ALL`.
    ///
    /// Every device has it from its registration on. A client that unsubscribes from it gets no more broadcasts until it
    /// subscribes again, as IBM's tutorial for 7.1 says (DC71, tag and broadcast notifications).
    public static let broadcast = "Push.ALL"

    /// In the descriptor's order, without ``broadcast``.
    public let declared: [String]

    public init(declared: [String]) {
        self.declared = declared.filter { !Self.isBroadcast($0) }
    }

    /// Returns the name under which a tag is stored. The case of the reserved tag does not matter, since IBM's documents write both `Push.ALL` and
    /// `Push.all`. In other tags it does.
    public static func normalised(_ name: String) -> String { isBroadcast(name) ? broadcast : name }

    /// The tag's normal name.
    ///
    /// - Throws: ``TagError`` when the application does not declare it.
    public func checked(_ name: String) throws(TagError) -> String {
        let name = Self.normalised(name)
        guard name == Self.broadcast || declared.contains(name) else { throw TagError(name: name, declared: declared) }
        return name
    }

    private static func isBroadcast(_ name: String) -> Bool { name.lowercased() == broadcast.lowercased() }
}

/// A tag that the application's descriptor does not declare.
public struct TagError: Error, Hashable, CustomStringConvertible {
    public let name: String
    /// The tags that it declares.
    public let declared: [String]

    public init(name: String, declared: [String]) {
        self.name = name
        self.declared = declared
    }

    public var description: String {
        let known = (declared + [Tags.broadcast]).map { "'\($0)'" }.joined(separator: ", ")
        return
            "there is no tag '\(name)': expected one of \(known); tags are declared in <tags> of application-descriptor.xml"
    }
}
