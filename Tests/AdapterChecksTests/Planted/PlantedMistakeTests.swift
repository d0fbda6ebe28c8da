import Testing
import WorklightProject

@Suite("Planted mistakes")
struct PlantedMistakeTests {
    @Test(
        "check --strict reports each mistake at its position",
        arguments: PlantedMistake.missedBefore + PlantedMistake.scripts + PlantedMistake.oldAdapters
            + PlantedMistake.xmlFiles + PlantedMistake.authenticationFiles)
    func isFound(mistake: PlantedMistake) async throws {
        let problems = try await mistake.problems()
        #expect(mistake.isFound(in: problems), "\(problems)")
    }
}
