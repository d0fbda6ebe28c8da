extension ClientCore {
    /// Sends a log to `loguploader` (wire-protocol 7), as the native clients of 7.x do; that of 5.0.6 could not be
    /// looked at.
    ///
    /// - Throws: ``WLError`` when the server does not say 201.
    func upload(log text: String) async throws {
        let object = ["__logdata": text, "isAjaxRequest": "true", "x": "\(Double.random(in: 0..<1))"]
        let plain = Array((JSONText.text(of: object) ?? "{}").utf8)
        let packed = Gzip.packed(plain)
        var headers = [
            WireField("Content-Type", "application/json"),
            WireField("x-wl-clientlog-deviceId", try folder.deviceID()),
            WireField("x-wl-clientlog-appname", settings.applicationID),
            WireField("x-wl-clientlog-appversion", settings.applicationVersion),
            WireField("x-wl-clientlog-osversion", DeviceFacts.system),
            WireField("x-wl-clientlog-env", settings.environment),
            WireField("x-wl-clientlog-model", DeviceFacts.model),
        ]
        if packed != nil { headers += [WireField("Content-Encoding", "gzip"), WireField("x-wl-compressed", "true")] }
        let request = WireRequest(target: .service("loguploader"), body: packed ?? plain, headers: headers)
        let answer = try await perform(request)
        guard answer.status == 201 else { throw failure(of: answer, expected: "201 for the log") }
    }
}
