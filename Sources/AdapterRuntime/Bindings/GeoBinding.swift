import JavaScriptEngine

/// `WL.Geo`: distances and areas on the earth (server-api 2.9).
extension AdapterScope {
    static func declareGeo(in table: inout BindingTable.Declarations) {
        table.add("getDistanceBetweenCoordinates") { _, call in
            let first = try Coordinate(call[0], path: "coordinate1")
            let second = try Coordinate(call[1], path: "coordinate2")
            return call.context.make(first.distance(to: second))
        }
        declareArea("Circle", in: &table) { try Circle($0) }
        declareArea("Polygon", in: &table) { try Polygon($0) }
    }

    private static func declareArea(
        _ name: String, in table: inout BindingTable.Declarations,
        _ read: @escaping @Sendable (ScriptValue) throws -> some Area
    ) {
        func add(
            _ function: String,
            _ answer: @escaping @Sendable (any Area, Coordinate, AreaOptions, ScriptContext) -> ScriptValue
        ) {
            table.add(function) { _, call in
                do {
                    let place = try Coordinate(call[0], path: "coordinate")
                    return answer(try read(call[1]), place, try AreaOptions(call[2]), call.context)
                } catch let error as GeoError {
                    throw HostError("\(function): \(error)")
                }
            }
        }
        add("getDistanceTo\(name)") { area, place, options, context in
            context.make(area.distance(from: place, options: options))
        }
        add("isInside\(name)") { area, place, options, context in
            context.make(area.contains(place, options: options))
        }
        add("isOutside\(name)") { area, place, options, context in
            context.make(area.excludes(place, options: options))
        }
    }
}

extension Coordinate {
    fileprivate init(_ value: ScriptValue, path: String) throws {
        guard value.isObject else {
            throw GeoError(path: path, expected: "an object with longitude and latitude", found: value.kind)
        }
        try self.init(
            longitude: value.get("longitude").number, latitude: value.get("latitude").number,
            accuracy: value.get("accuracy").number, path: path)
    }
}

extension Circle {
    fileprivate init(_ value: ScriptValue) throws {
        guard value.isObject else {
            throw GeoError(path: "circle", expected: "an object with longitude, latitude and radius", found: value.kind)
        }
        try self.init(
            longitude: value.get("longitude").number, latitude: value.get("latitude").number,
            radius: value.get("radius").number)
    }
}

extension Polygon {
    fileprivate init(_ value: ScriptValue) throws {
        guard value.isArray else {
            throw GeoError(
                path: "polygon", expected: "an array of objects with longitude and latitude", found: value.kind)
        }
        try self.init(
            corners: try value.elements().enumerated().map { try Coordinate($1, path: "polygon[\($0)]") })
    }
}

extension AreaOptions {
    fileprivate init(_ value: ScriptValue) throws {
        try self.init(
            bufferZoneWidth: value.get("bufferZoneWidth").number,
            confidenceLevel: ConfidenceLevel(named: value.get("confidenceLevel").string))
    }
}
