import Core

/// The field `__wl_deviceCtx`, in which clients as of 6.1 send position and networks (wire-protocol 13).
///
/// First a header: the format's version 0, a number of 24 random bits and a time, which together name the client's run, the context's version in that
/// run, and the length of the sensors' bits. These follow, and after them strings without separators: coordinates, names of networks.
struct PackedDeviceContext {
    /// Names the client's run.
    let session: String
    /// Grows within a run.
    let version: Int
    /// `nil` when the client uses no sensor.
    let context: JSONObject?

    /// - Throws: ``DeviceContextError``.
    init(_ text: String) throws(DeviceContextError) {
        var header = SixBitReader(Array(text.utf16)[...])
        let format = try header.number()
        guard format == 0 else { throw DeviceContextError("its format is \(format), expected 0") }
        session = "\(try header.bits(24)) \(try header.number())"
        version = try header.number()
        let sensors = try header.characters(try header.number())
        guard !sensors.isEmpty else {
            guard header.rest.isEmpty else { throw DeviceContextError("it has data but no sensors") }
            context = nil
            return
        }
        do throws(DeviceContextError) {
            context = try Self.context(sensors, texts: header.rest, hasHiddenNetworks: false)
        } catch {
            context = try Self.context(sensors, texts: header.rest, hasHiddenNetworks: true)
        }
    }

    private static func context(
        _ sensors: ArraySlice<UInt16>, texts: ArraySlice<UInt16>, hasHiddenNetworks: Bool
    ) throws(DeviceContextError) -> JSONObject {
        var reader = DeviceSensorReader(sensors, texts: texts, hasHiddenNetworks: hasHiddenNetworks)
        let context = try reader.context()
        guard reader.isAtEnd else { throw DeviceContextError("more follows than its sensors say") }
        return context
    }
}

/// Reads the sensors of a packed device context.
struct DeviceSensorReader {
    /// More networks no phone sees.
    private static let mostAccessPoints = 1000
    /// More characters no coordinate has.
    private static let longestCoordinate = 40
    /// The coordinates, in the order of their bits and of their strings.
    private static let coordinates = [
        "longitude", "latitude", "accuracy", "speed", "heading", "altitude", "altitudeAccuracy",
    ]

    private var bits: SixBitReader
    private var texts: ArraySlice<UInt16>
    /// True if a length of 32 means a network without a name: clients write both lengths alike.
    private let hasHiddenNetworks: Bool
    private var newestTimestamp: Int?

    init(_ sensors: ArraySlice<UInt16>, texts: ArraySlice<UInt16>, hasHiddenNetworks: Bool) {
        bits = SixBitReader(sensors)
        self.texts = texts
        self.hasHiddenNetworks = hasHiddenNetworks
    }

    /// True if nothing is left but the padding of the last character.
    var isAtEnd: Bool { bits.rest.isEmpty && texts.isEmpty }

    mutating func context() throws(DeviceContextError) -> JSONObject {
        var context = JSONObject()
        if try bits.flag() { context["Geo"] = .object(try position()) }
        if try bits.flag() { context["Wifi"] = .object(try networks()) }
        if try bits.flag() { context["lastModified"] = Self.number(try lastModified()) }
        if try bits.flag() {
            let isNegative = try bits.flag()
            let minutes = try bits.number()
            context["timezoneOffset"] = Self.number(isNegative ? -minutes : minutes)
        }
        return context
    }

    // MARK: Position

    private mutating func position() throws(DeviceContextError) -> JSONObject {
        var isTold = [Bool](repeating: true, count: 1 + Self.coordinates.count)
        if try !bits.flag() {
            for index in isTold.indices { isTold[index] = try bits.flag() }
        }
        let timestamp = isTold[0] ? try self.timestamp() : nil
        var coordinates = JSONObject()
        for (name, isTold) in zip(Self.coordinates, isTold.dropFirst()) {
            // Clients write a latitude whenever they write a longitude, even if its bit is not set.
            let isWritten = name == "latitude" ? coordinates["longitude"] != nil : isTold
            guard isWritten else { continue }
            let value = try coordinate()
            if isTold { coordinates[name] = value }
        }
        var position = JSONObject()
        if !coordinates.members.isEmpty { position["coords"] = .object(coordinates) }
        if let timestamp { position["timestamp"] = Self.number(timestamp) }
        return position
    }

    /// A number that `~` ends, or `_` for null.
    private mutating func coordinate() throws(DeviceContextError) -> JSONValue {
        if texts.first == UInt16(UInt8(ascii: "_")) {
            texts.removeFirst()
            return .null
        }
        guard let end = texts.prefix(Self.longestCoordinate + 1).firstIndex(of: UInt16(UInt8(ascii: "~"))) else {
            throw DeviceContextError("a coordinate has no end")
        }
        let text = String(decoding: texts[..<end], as: UTF16.self)
        texts = texts[(end + 1)...]
        // A device that does not move has the heading NaN.
        if ["NaN", "Infinity", "-Infinity"].contains(text) { return .null }
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(text), number.isFinite
        else { throw DeviceContextError("a coordinate is not a number") }
        return .number(number)
    }

    // MARK: Networks

    private mutating func networks() throws(DeviceContextError) -> JSONObject {
        var networks = JSONObject()
        if try bits.flag() { networks["timestamp"] = Self.number(try timestamp()) }
        guard try bits.flag() else { return networks }
        let count = try bits.number()
        guard count <= Self.mostAccessPoints else { throw DeviceContextError("it has \(count) networks") }
        var (points, names): ([JSONValue], [String]) = ([], [])
        for index in 0..<count {
            var point: JSONObject = ["SSID": .string(try networkName(among: &names, isFirst: index == 0))]
            if try bits.flag() { point["MAC"] = .string(try networkAddress()) }
            points.append(.object(point))
        }
        networks["accessPoints"] = .array(points)
        if try bits.flag() { networks["connectedAccessPoint"] = points[try index(below: points.count)] }
        return networks
    }

    /// A name is written once; networks of the same name refer to it.
    private mutating func networkName(
        among names: inout [String], isFirst: Bool
    ) throws(DeviceContextError) -> String {
        if !isFirst, try bits.flag() { return names[try index(below: names.count)] }
        let length = try bits.number() + 1
        let name = try text(length == 32 && hasHiddenNetworks ? 0 : length)
        names.append(name)
        return name
    }

    private mutating func networkAddress() throws(DeviceContextError) -> String {
        guard try bits.flag() else { return try text(try bits.number()) }
        let bytes = try bits.flag() ? 6 : 8
        var address: [String] = []
        for _ in 0..<bytes {
            address.append(String(try bits.bits(4), radix: 16) + String(try bits.bits(4), radix: 16))
        }
        return address.joined(separator: ":")
    }

    /// Clients write an index in one bit less than the larger ones of some counts need; those come out as a smaller one.
    private mutating func index(below count: Int) throws(DeviceContextError) -> Int {
        let index = try bits.bits(Int.bitWidth - 1 - (count + 1).leadingZeroBitCount)
        guard index < count else { throw DeviceContextError("a reference leads to no network") }
        return index
    }

    private mutating func text(_ count: Int) throws(DeviceContextError) -> String {
        guard count <= texts.count else { throw DeviceContextError("a string is cut off") }
        defer { texts = texts.dropFirst(count) }
        return String(decoding: texts.prefix(count), as: UTF16.self)
    }

    // MARK: Times

    private mutating func timestamp() throws(DeviceContextError) -> Int {
        let timestamp = try bits.number()
        newestTimestamp = max(newestTimestamp ?? 0, timestamp)
        return timestamp
    }

    /// Sent only where it differs from the newest of the sensors' timestamps.
    private mutating func lastModified() throws(DeviceContextError) -> Int {
        guard try bits.flag() else { return try bits.number() }
        guard let newestTimestamp else { throw DeviceContextError("no sensor has a timestamp") }
        return newestTimestamp
    }

    private static func number(_ value: Int) -> JSONValue { .number(Double(value)) }
}
