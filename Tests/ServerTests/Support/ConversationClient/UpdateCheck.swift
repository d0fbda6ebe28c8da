import Core
import JavaScriptEngine

/// The update check of hybrid clients up to 6.1 with `gadgetProps.directUpdate` and `updates.response`, in a script of our own that has
/// the names that theirs has (wire-protocol 3.4, 13).
struct UpdateCheck {
    /// The checksum of the app's web resources.
    let checksum: Int
    var hasSkins = false
    var skin = "default"

    struct Outcome {
        /// True if the client goes on; it shows the update dialog otherwise.
        let isCurrent: Bool
        /// True if the app counts as one with skins after all timers have fired.
        let hasSkins: Bool
        /// The skin loader's checksum that the client stores from now on; `nil` when it stores none.
        let storedSkinChecksum: JSONValue?
    }

    func outcome(of update: JSONValue) async throws -> Outcome {
        // eval is turned off in the engine. The function contains its source instead, where it sees and declares the same.
        let source = Self.source.replacing("/* eval */", with: update["skinLoaderContent"]?.string ?? "")
        let call = "outcome(\(update.text), \(checksum), \(hasSkins), '\(skin)')"
        let machine = try VirtualMachine.start(name: "client")
        let text = try await machine.run { machine in
            let context = try machine.contexts.make(name: "client")
            _ = try context.evaluate(source, file: "client.js")
            return try context.evaluate(call, file: "client.js").string
        }
        let result = try JSONValue(parsing: text ?? "")
        return Outcome(
            isCurrent: result["isCurrent"] == true, hasSkins: result["hasSkins"] == true,
            storedSkinChecksum: result["stored"])
    }

    /// - Throws: ``ClientDoubleError`` when the client does not go on.
    func check(_ update: JSONValue?) async throws {
        guard let update else { throw ClientDoubleError("TypeError: directUpdate") }
        guard update["availableSkins"]?.array?.isEmpty == false else {
            throw ClientDoubleError("TypeError: availableSkins")
        }
        guard try await outcome(of: update).isCurrent else { throw ClientDoubleError("the update dialog is shown") }
    }

    private static let source = """
        function outcome(update, ownChecksum, appHasSkins, skin) {
            var WL_CHECKSUM = { checksum: ownChecksum };
            var isAppHasSkinLoaderChecksum = appHasSkins;
            var timers = [], stored;
            function setTimeout(callback) { timers.push(callback); }
            function compare(updatesJSON) {
                var oldSkinName = skin, isOther = false;
                if (updatesJSON.skinLoaderContent) {
                    /* eval */
                    if (!isAppHasSkinLoaderChecksum || getSkinName() !== oldSkinName) { isOther = true; }
                    stored = updatesJSON.skinLoaderChecksum;
                }
                return !isOther && updatesJSON.checksum == WL_CHECKSUM.checksum;
            }
            var isCurrent = compare(update);
            timers.forEach(function (callback) { callback(); });
            return JSON.stringify({ isCurrent: isCurrent, hasSkins: isAppHasSkinLoaderChecksum, stored: stored });
        }
        """
}
