import Testing
import WorklightProject

@Suite("Planted mistakes")
struct PlantedMistakeTests {
    @Test("check --strict finds each mistake that it missed before", arguments: PlantedMistake.missedBefore)
    func missedBefore(mistake: PlantedMistake) async throws {
        let problems = try await mistake.problems()
        #expect(mistake.isFound(in: problems), "\(problems)")
    }

    @Test("check --strict finds each mistake in a script", arguments: PlantedMistake.scripts)
    func scripts(mistake: PlantedMistake) async throws {
        let problems = try await mistake.problems()
        #expect(mistake.isFound(in: problems), "\(problems)")
    }

    @Test("check --strict finds what old adapters cannot do here", arguments: PlantedMistake.oldAdapters)
    func oldAdapters(mistake: PlantedMistake) async throws {
        let problems = try await mistake.problems()
        #expect(mistake.isFound(in: problems), "\(problems)")
    }

    @Test("check --strict finds each mistake in an adapter's XML", arguments: PlantedMistake.xmlFiles)
    func xmlFiles(mistake: PlantedMistake) async throws {
        let problems = try await mistake.problems()
        #expect(mistake.isFound(in: problems), "\(problems)")
    }

    @Test(
        "check --strict finds each mistake in authenticationConfig.xml", arguments: PlantedMistake.authenticationFiles)
    func authenticationFiles(mistake: PlantedMistake) async throws {
        let problems = try await mistake.problems()
        #expect(mistake.isFound(in: problems), "\(problems)")
    }
}
