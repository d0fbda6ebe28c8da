import Core
public import Foundation

/// The time of a harness. It advances only when the test moves it.
public struct HarnessClock: Sendable {
    /// Those of the years -271821 to 275760, which JavaScript's `Date` knows.
    static let tellableSeconds = -8.64e12...8.64e12
    private static let mostSeconds = 1e9

    let time: ManualTime
    let backEnds: HarnessBackEnds

    /// The time of day, also of adapters' `Date`.
    public var now: Date { time.now }

    /// How long the test has been going on, in seconds.
    public var elapsed: Double { time.elapsed }

    /// Lets time go by without the polls that come due meanwhile; they run late, once ``AdapterHarness/advance(by:)`` is called, which
    /// is what most tests want.
    ///
    /// What comes next fails with ``HarnessMisuseError`` when the duration is negative, or longer than 1e9 seconds.
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

    /// - Throws: ``HarnessMisuseError`` when a harness's time cannot go on so far.
    static func check(_ duration: Duration) throws(HarnessMisuseError) {
        guard duration >= .zero else {
            // Of the shortest duration there is no opposite.
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
    /// Move it with ``advance(by:toleratingFailures:)``, which runs the polls that come due.
    public var clock: HarnessClock { HarnessClock(time: manualTime, backEnds: backEnds) }
}
