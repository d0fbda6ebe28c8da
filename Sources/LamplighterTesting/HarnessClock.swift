import Core
public import Foundation

/// The clock of a harness. It advances only when the test moves it.
public struct HarnessClock: Sendable {
    /// The times that `Date` of JavaScript can represent, in seconds since 1970: the years -271821 to 275760.
    static let tellableSeconds = -8.64e12...8.64e12
    private static let mostSeconds = 1e9

    let time: ManualTime
    let backEnds: HarnessBackEnds

    /// The time of day, also of adapters' `Date`.
    public var now: Date { time.now }

    /// The seconds by which the test has advanced the clock. A change by ``setClock(forwardBy:fileID:line:)`` is not included.
    public var elapsed: Double { time.elapsed }

    /// Advances the clock without running polls. Polls that become due run late, at the next call of
    /// ``AdapterHarness/advance(by:toleratingFailures:adapters:fileID:line:)``, which most tests should call instead.
    ///
    /// The next call of the harness throws ``HarnessMisuseError`` when the duration is negative or longer than 1e9 seconds.
    public func advance(by duration: Duration, fileID: String = #fileID, line: Int = #line) {
        note(TestPlace(fileID: fileID, line: line)) { () throws(HarnessMisuseError) in
            try Self.check(duration)
            time.advance(by: duration)
        }
    }

    /// Simulates a change of the machine's clock; a negative number sets it back. The time of day changes, and the times of polls do not.
    ///
    /// The next call fails with ``HarnessMisuseError`` when the result is not a valid time.
    public func setClock(forwardBy seconds: Double, fileID: String = #fileID, line: Int = #line) {
        note(TestPlace(fileID: fileID, line: line)) { () throws(HarnessMisuseError) in
            guard Self.tellableSeconds.contains(now.timeIntervalSince1970 + seconds) else {
                throw HarnessMisuseError(
                    "harness.clock.setClock: expected seconds that lead to a time which calendars know, got \(seconds)")
            }
            time.setClock(forwardBy: seconds)
        }
    }

    /// Checks that a duration is 0 to 1e9 seconds.
    ///
    /// - Throws: ``HarnessMisuseError``.
    static func check(_ duration: Duration) throws(HarnessMisuseError) {
        guard duration >= .zero else {
            // The message has the negative duration: negating the smallest Duration would overflow.
            throw HarnessMisuseError("time cannot go back, by \(duration): polls that have run are not undone")
        }
        guard duration <= .seconds(mostSeconds) else {
            throw HarnessMisuseError("time cannot go on by \(duration): expected at most \(mostSeconds) seconds")
        }
    }

    private func note(_ place: TestPlace, _ body: () throws(HarnessMisuseError) -> Void) {
        do throws(HarnessMisuseError) {
            try body()
        } catch {
            var misuse = error
            misuse.place = place
            backEnds.note(misuse)
        }
    }
}

extension AdapterHarness {
    /// The clock of the harness. ``advance(by:toleratingFailures:adapters:fileID:line:)`` moves it and runs the polls that become due.
    public var clock: HarnessClock { HarnessClock(time: manualTime, backEnds: backEnds) }
}
