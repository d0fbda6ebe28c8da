import Foundation
import TestSupport
import Testing

@testable import Server

@Suite("Changes that the watch detects")
struct ChangeDebouncerTests {
    private let folder: TemporaryFolder
    private var judge: ChangeDebouncer

    init() throws {
        folder = try TemporaryFolder([
            "adapters/A/A.xml": "<a/>", "adapters/A/A-impl.js": "one", "adapters/B/B.xml": "<b/>",
        ])
        judge = ChangeDebouncer(ProjectSnapshot(of: folder.url))
    }

    private mutating func look() -> [ChangeDebouncer.Change] { judge.look(ProjectSnapshot(of: folder.url)) }

    @Test("No change while the folder stays unchanged")
    mutating func nothing() {
        for _ in 0..<10 { #expect(look() == []) }
    }

    @Test("A change, once two scans saw the same folder, and only once")
    mutating func change() throws {
        try folder.write("other", to: "adapters/A/A-impl.js")
        #expect(look() == [])
        #expect(look() == [.deploy("A")])
        #expect(look() == [])
    }

    @Test("A file that grows between scans only once it is whole")
    mutating func growing() throws {
        for length in 4..<10 {
            try folder.write(String(repeating: "x", count: length), to: "adapters/A/A-impl.js")
            #expect(look() == [])
        }
        #expect(look() == [.deploy("A")])
    }

    @Test("A file of the same size that replaces another, as editors that rename leave it")
    mutating func replacing() throws {
        let time = try FileManager.default.attributesOfItem(atPath: folder.path("adapters/A/A-impl.js"))[
            .modificationDate]
        try folder.write("two", to: "adapters/A/.new")
        try FileManager.default.setAttributes(
            [.modificationDate: try #require(time)], ofItemAtPath: folder.path("adapters/A/.new"))
        #expect(rename(folder.path("adapters/A/.new"), folder.path("adapters/A/A-impl.js")) == 0)
        _ = look()
        #expect(look() == [.deploy("A")])
    }

    @Test("A file of the same size whose time is set back, as by cp -p and rsync -t")
    mutating func setBack() throws {
        try folder.rewrite("two", in: "adapters/A/A-impl.js")
        _ = look()
        #expect(look() == [.deploy("A")])
    }

    @Test("No folder that is away for a moment")
    mutating func away() throws {
        let manager = FileManager.default
        try manager.moveItem(atPath: folder.path("adapters/A"), toPath: folder.path("away"))
        for _ in 1..<ChangeDebouncer.looksUntilGone { #expect(look() == []) }
        try manager.moveItem(atPath: folder.path("away"), toPath: folder.path("adapters/A"))
        for _ in 0..<10 { #expect(look() == []) }
    }

    @Test("A file that is away for a moment only once it is back: it may be another by then")
    mutating func fileAway() throws {
        let manager = FileManager.default
        try manager.moveItem(atPath: folder.path("adapters/A/A-impl.js"), toPath: folder.path("away"))
        #expect(look() == [])
        try manager.moveItem(atPath: folder.path("away"), toPath: folder.path("adapters/A/A-impl.js"))
        #expect(look() == [])
        #expect([[], [.deploy("A")]].contains(look()))
        for _ in 0..<10 { #expect(look() == []) }
    }

    @Test("A folder that stays away, and one that comes")
    mutating func goneAndNew() throws {
        try folder.remove("adapters/B")
        for _ in 1..<ChangeDebouncer.looksUntilGone { #expect(look() == []) }
        #expect(look() == [.undeploy("B")])
        try folder.write("<c/>", to: "adapters/C/C.xml")
        _ = look()
        #expect(look() == [.deploy("C")])
    }

    @Test("removes no adapter when the folder of adapters cannot be listed")
    mutating func unreadable() throws {
        try FileManager.default.moveItem(atPath: folder.path("adapters"), toPath: folder.path("away"))
        for _ in 0..<20 { #expect(look() == []) }
    }

    @Test(
        "ignores tests of adapters and temporary files of editors",
        arguments: ["A.test.js", ".A-impl.js.swp", "A-impl.js~", "#A-impl.js#", ".#A-impl.js", "x.tmp"])
    mutating func ignored(name: String) throws {
        try folder.write("x", to: "adapters/A/\(name)")
        for _ in 0..<3 { #expect(look() == []) }
    }

    @Test("finds changes in an adapter's folders, and follows circular links only once")
    mutating func folders() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("adapters/A/round"), withDestinationPath: folder.path("adapters/A"))
        _ = look()
        #expect(look() == [.deploy("A")])
        try folder.write("<xsl/>", to: "adapters/A/more/filter.xsl")
        _ = look()
        #expect(look() == [.deploy("A")])
    }

    @Test(
        "reports that changed settings and configuration files need a restart",
        arguments: [
            "lamplighter.yaml", "server/conf/worklight.properties", "server/conf/authenticationConfig.xml",
            "apps/App/application-descriptor.xml",
        ])
    mutating func restart(path: String) throws {
        try folder.write("x", to: path)
        #expect(look() == [])
        #expect(look() == [.restart(path)])
        #expect(look() == [])
    }
}
