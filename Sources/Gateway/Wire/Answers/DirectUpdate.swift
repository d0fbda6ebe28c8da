import Core

/// Tells hybrid clients up to 6.1 that their web resources are the latest: this server has no others.
///
/// Clients compare `checksum` with that of their own resources, and show an update dialog when they differ (wire-protocol 3.4).
enum DirectUpdate {
    /// For a version whose checksum the operator has set.
    static func current(checksum: Int) -> JSONValue {
        .object(members(checksum: .number(Double(checksum))))
    }

    /// For a client of 5.0.6 whose checksum is unknown: the script hands the client its own.
    ///
    /// - Parameter skinLoaderChecksum: as the client sent it, empty when its app has no skins. The client stores what it gets.
    static func withOwnChecksum(skinLoaderChecksum: String) -> JSONValue {
        var object = members(checksum: 0)
        object["skinLoaderContent"] = .string(script)
        object["skinLoaderChecksum"] = .string(skinLoaderChecksum)
        return .object(object)
    }

    private static func members(checksum: JSONValue) -> JSONObject {
        ["checksum": checksum, "availableSkins": ["default"], "updateSize": 0, "updateUnpackedSize": 0]
    }

    /// Runs in the client's function that compares the checksums, before it does. The text is fixed: nothing of a request or
    /// of a setting is in it.
    ///
    /// The client calls `getSkinName` next, and takes an app without skins for changed unless `isAppHasSkinLoaderChecksum` is
    /// true at that moment.
    static let script = """
        var k=isAppHasSkinLoaderChecksum;isAppHasSkinLoaderChecksum=true;updatesJSON.checksum=WL_CHECKSUM.checksum;\
        setTimeout(function(){isAppHasSkinLoaderChecksum=k},0);function getSkinName(){return oldSkinName}
        """
}
