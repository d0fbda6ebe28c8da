import CZlib

extension ClientCore {
    /// Sends a log to `loguploader` (wire-protocol 7), as the native clients of 7.x do. The client of 5.0.6 was not available for a
    /// comparison.
    ///
    /// - Throws: ``WLError`` when the status of the response is not 201.
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

/// The gzip compression of logs.
enum Gzip {
    /// Compresses bytes.
    ///
    /// - Returns: the compressed bytes; `nil` when zlib has no memory left.
    static func packed(_ plain: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard lamplighter_deflateInit(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = plain
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(plain.count))))
        let room = output.count
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        return Array(output.prefix(room - Int(stream.avail_out)))
    }
}
