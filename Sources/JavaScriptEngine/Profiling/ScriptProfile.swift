/// What the engine's sampling profiler saw: every millisecond or so, which functions were running.
public struct ScriptProfile: Sendable, Hashable {
    /// A function that was running, and where it was.
    public struct Frame: Sendable, Hashable {
        /// `(program)` for a script's top level, empty for a function without a name.
        public let name: String
        /// Where it was; `nil` for a native function.
        public let location: ScriptLocation?

        public init(name: String, location: ScriptLocation?) {
            self.name = name
            self.location = location
        }
    }

    public struct Sample: Sendable, Hashable {
        /// In seconds, since anything.
        public let time: Double
        /// Innermost first.
        public let frames: [Frame]

        public init(time: Double, frames: [Frame]) {
            self.time = time
            self.frames = frames
        }
    }

    /// How often the profiler means to look, in seconds.
    public let interval: Double
    public let samples: [Sample]

    public init(interval: Double, samples: [Sample]) {
        self.interval = interval
        self.samples = samples
    }
}

/// The engine cannot tell what it does.
public struct ProfilingError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String
}
