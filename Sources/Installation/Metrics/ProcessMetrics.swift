import CTimex
import Core
import CoreMetrics
import Foundation
import HTTPServer
import Synchronization

/// The system's values for the process, under the names that all Prometheus clients use.
final class ProcessMetrics: Sendable {
    private let processorSeconds: FloatingPointCounter
    private let residentMemory: Meter
    private let openFiles: Meter
    private let mostOpenFiles: Meter
    private let startTime: Meter
    /// The processor time when it was last read.
    private let knownSeconds = Mutex(0.0)

    init(factory: any MetricsFactory) {
        processorSeconds = FloatingPointCounter(label: MetricName.processorSeconds.rawValue, factory: factory)
        residentMemory = Meter(.residentMemory, [], factory)
        openFiles = Meter(.openFiles, [], factory)
        mostOpenFiles = Meter(.mostOpenFiles, [], factory)
        startTime = Meter(.startTime, [], factory)
    }

    /// Reads everything again.
    func read() {
        var usage = rusage()
        getrusage(__rusage_who_t(0), &usage)
        let seconds =
            Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
        knownSeconds.withLock { known in
            processorSeconds.increment(by: max(seconds - known, 0))
            known = max(seconds, known)
        }
        let pages = Self.words("/proc/self/statm").dropFirst().first.flatMap { Double($0) }
        if let pages { residentMemory.set(pages * Double(sysconf(Int32(_SC_PAGESIZE)))) }
        let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        // The folder itself is open while it is read.
        if let files { openFiles.set(max(files.count - 1, 0)) }
        if let limit = FileDescriptorLimit.limit { mostOpenFiles.set(limit) }
        if let start = Self.start { startTime.set(start) }
    }

    /// In seconds since 1970.
    private static let start: Double? = {
        let boot = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8))?.split(separator: "\n")
            .first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst(6)) }
        // The program's name may have blanks and parentheses. The 22nd field is the start, in ticks after the system's.
        let text = (try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8)) ?? ""
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard let boot, fields.count > 20, let ticks = Double(fields[20]) else { return nil }
        return boot + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    private static func words(_ file: String) -> [Substring] {
        ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").split(separator: " ")
    }
}
