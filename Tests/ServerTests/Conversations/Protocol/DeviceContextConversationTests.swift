import Core
import Logging
import TestSupport
import Testing

@Suite("The device context that clients send", .defaultTimeLimit)
struct DeviceContextConversationTests {
    private static let hybrids = [HybridDialect.Release.v610, .v620, .v710].map {
        HybridDialect(release: $0, environment: "android")
    }
    private static let natives = [NativeDialect.Release.v620, .v710].map { NativeDialect(release: $0) }

    /// The clients' encoded contexts, and the values in them.
    static let texts: [(text: String, context: JSONValue)] = [
        // From transcripts of the hybrid clients of 6.2 and 7.1, and of the native one of 7.1.
        ("A-0Aqstmmm-n0BAA", .null), ("AC4322ssvm-n0BAA", .null), ("AMWyAhh40q-n0BAA", .null),
        (
            "AdMuxg04osgo0BDN8uuaLIKNAX-Ag-0.1275~51.5072~12~1.5~90~35~3~",
            [
                "Geo": [
                    "coords": [
                        "longitude": -0.1275, "latitude": 51.5072, "accuracy": 12, "speed": 1.5, "heading": 90,
                        "altitude": 35, "altitudeAccuracy": 3,
                    ], "timestamp": 1_795_309_201_234,
                ], "lastModified": 1_795_309_201_234, "timezoneOffset": -60,
            ]
        ),
        (
            "AdMuxg04osgo0BDM8uuaLIKNAXAA13.4~52.52~20~____",
            [
                "Geo": [
                    "coords": [
                        "longitude": 13.4, "latitude": 52.52, "accuracy": 20, "speed": .null, "heading": .null,
                        "altitude": .null, "altitudeAccuracy": .null,
                    ], "timestamp": 1_795_309_201_234,
                ], "lastModified": 1_795_309_201_234, "timezoneOffset": 0,
            ]
        ),
        (
            "AdMuxg04osgo0BDOvSHTiiyCjQF1hI1e-7~-33.8688~5~NaN~",
            [
                "Geo": [
                    "coords": ["longitude": 1e-7, "latitude": -33.8688, "accuracy": 5, "heading": .null],
                    "timestamp": 1_795_309_200_001,
                ], "lastModified": 1_795_309_200_001, "timezoneOffset": 300,
            ]
        ),
        ("AdMuxg04osgo0BDDgAA", ["Geo": [:]]),
        (
            "AdMuxg04osgo0BDtBeGXVFkFGgMQXgA0VniavXqrvM3e7_CwoNqjD2iyCjQHqKCafé ☕officeAA-BBopen",
            [
                "Wifi": [
                    "timestamp": 1_795_309_202_000,
                    "accessPoints": [
                        ["SSID": "Café ☕", "MAC": "00:1a:2b:3c:4d:5e"],
                        ["SSID": "Café ☕", "MAC": "aa:bb:cc:dd:ee:ff"], ["SSID": "office", "MAC": "AA-BB"],
                        ["SSID": "open"],
                    ], "connectedAccessPoint": ["SSID": "office", "MAC": "AA-BB"],
                ], "lastModified": 1_795_309_205_000, "timezoneOffset": -330,
            ]
        ),
        (
            "AdMuxg04osgo0BDlBvCjPmiyCjQHwy6osgo0BggYAESIzRFVmd38Bg8.54~47.37~30~x",
            [
                "Geo": [
                    "coords": ["longitude": 8.54, "latitude": 47.37, "accuracy": 30], "timestamp": 1_795_309_201_000,
                ],
                "Wifi": [
                    "timestamp": 1_795_309_202_000,
                    "accessPoints": [["SSID": "x", "MAC": "00:11:22:33:44:55:66:77"]],
                ], "lastModified": 1_795_309_202_000, "timezoneOffset": -120,
            ]
        ),
        // A network without a name has the same length as one with a name of 32 characters.
        (
            "AdMuxg04osgo0BDYeGXVFkFGgMJ_gA0VniavBDgAguest",
            [
                "Wifi": [
                    "timestamp": 1_795_309_202_000,
                    "accessPoints": [["SSID": "", "MAC": "00:1a:2b:3c:4d:5e"], ["SSID": "guest"]],
                ], "lastModified": 1_795_309_202_000, "timezoneOffset": 0,
            ]
        ),
        (
            "AdMuxg04osgo0BDEUF8Aabcdefghijklmnopqrstuvwxyz012345",
            ["Wifi": ["accessPoints": [["SSID": "abcdefghijklmnopqrstuvwxyz012345"]]]]
        ),
    ]

    private static let full = texts[3]

    private static func tell(_ text: String, _ client: ClientDouble) async throws -> JSONValue? {
        try await client.act(
            "query", Field("__wl_deviceCtx", text), Field("adapter", "demoAdapter"), Field("procedure", "surroundings"))[
                "context"]
    }

    @Test("A context reaches procedures, for hybrid clients as of 6.1 and native ones")
    func procedures() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let dialects = (Self.hybrids as [any Dialect]) + Self.natives
            for client in dialects.map({ ClientDouble($0, at: server) }) {
                try await client.connect()
                for (text, context) in Self.texts {
                    #expect(try await Self.tell(text, client) == context, "\(text)")
                }
            }
        }
    }

    @Test("They come with /invoke as well")
    func invoke() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let client = ClientDouble(Self.natives[1], at: server)
            try await client.connect()
            let reply = try await client.send(
                "POST", .invoke,
                [
                    Field("__wl_deviceCtx", Self.full.text), Field("adapter", "demoAdapter"),
                    Field("procedure", "surroundings"),
                ])
            #expect(reply["context"] == Self.full.context)
        }
    }

    @Test("A request that arrives after a later one does not restore older values")
    func order() async throws {
        try await RunningServer.converse(.nobody) { (server) async throws in
            let client = ClientDouble(Self.hybrids[0], at: server)
            try await client.connect()
            #expect(try await Self.tell(Self.full.text, client) == Self.full.context)
            let older = Self.full.text.replacing("0BDN8uu", with: "0BCN8uu")
            #expect(try await Self.tell(older, client) == Self.full.context)
            // Values that the client no longer reads are gone.
            #expect(try await Self.tell("AdMuxg04osgo0BEA", client) == .null)
        }
    }

    @Test("An unreadable context is ignored, and logged")
    func malformed() async throws {
        let texts = [
            "", "A", "B", "AdMu", "AdMuxg04osgo0BD", "AdMuxg04osgo0BDAx", "AdMuxg04osgo0BDN8uuaLI", "äöü",
            "AdMuxg04osgo0BDN8uuaLIKNAX-Ag", "AdMuxg04osgo0BDN8uuaLIKNAX-Ag-0.1275~51.5072~12~1.5~90~35~3",
            "AdMuxg04osgo0BDN8uuaLIKNAX-Ag-0.1275~x~12~1.5~90~35~3~",
            "AdMuxg04osgo0BDN8uuaLIKNAX-Ag0x1p3~51.5072~12~1.5~90~35~3~",
            "AdMuxg04osgo0BDN8uuaLIKNAX-Ag-0.1275~51.5072~12~1.5~90~35~3~more", "AdMuxg______________",
            String(repeating: "A", count: 70_000), String(repeating: "_", count: 60_000),
        ]
        let log = LogRecorder(level: .debug)
        try await RunningServer.converse(.nobody, log: log) { (server) async throws in
            let client = ClientDouble(Self.hybrids[1], at: server)
            try await client.connect()
            for (index, text) in texts.enumerated() {
                #expect(try await Self.tell(Self.full.text, client) == Self.full.context)
                let reply = try await client.act(
                    "query", Field("__wl_deviceCtx", text), Field("adapter", "demoAdapter"),
                    Field("procedure", "surroundings"))
                #expect(reply.isSuccess && reply["context"] == .null, "\(text)")
                let lines = log.messages(at: .debug).filter { $0.hasPrefix("a device context cannot be read: ") }
                #expect(lines.count == index + 1, "\(text)")
            }
        }
    }
}
