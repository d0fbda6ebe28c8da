import Testing

@testable import Push

@Suite("Whose fault a token is that does not belong to the credential")
struct MismatchRuleTests {
    @Test("The credential's, as long as nothing has been taken with it")
    func unproven() {
        let rule = MismatchRule()
        #expect(rule.mismatched())
        #expect(rule.mismatched())
    }

    @Test("The device's, once the credential has proved itself")
    func proven() {
        let rule = MismatchRule()
        rule.taken()
        #expect(!rule.mismatched())
    }

    @Test("The credential's, when it happens many times in a row")
    func inARow() {
        let rule = MismatchRule(limit: 3)
        rule.taken()
        #expect((0..<4).map { _ in rule.mismatched() } == [false, false, true, true])
    }

    @Test("A message that is taken in between starts the count anew")
    func interrupted() {
        let rule = MismatchRule(limit: 2)
        rule.taken()
        #expect(!rule.mismatched())
        rule.taken()
        #expect(!rule.mismatched())
    }
}
