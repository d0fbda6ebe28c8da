import NIOCore

/// Calls back at a deadline that moves: one scheduled task that, when it comes too early, is scheduled again. Moving
/// the deadline to a later time, which every request does, costs nothing.
///
/// Belongs to one event loop, like the handler that has it.
final class MovableDeadline {
    private let eventLoop: any EventLoop
    private let ring: () -> Void
    private var scheduled: (time: NIODeadline, task: Scheduled<Void>)?
    private var deadline: NIODeadline?

    /// - Parameter ring: called on the event loop; it must not hold the alarm's owner strongly.
    init(eventLoop: any EventLoop, ring: @escaping () -> Void) {
        self.eventLoop = eventLoop
        self.ring = ring
    }

    func set(_ deadline: NIODeadline?) {
        self.deadline = deadline
        guard let deadline else { return }
        if let scheduled {
            guard deadline < scheduled.time else { return }
            scheduled.task.cancel()
        }
        schedule(at: deadline)
    }

    func cancel() {
        deadline = nil
        scheduled?.task.cancel()
        scheduled = nil
    }

    private func schedule(at time: NIODeadline) {
        let task = eventLoop.assumeIsolated().scheduleTask(in: time - eventLoop.now) { [weak self] () -> Void in
            self?.wake()
        }
        scheduled = (time, task)
    }

    private func wake() {
        scheduled = nil
        guard let deadline else { return }
        if deadline > eventLoop.now {
            schedule(at: deadline)
        } else {
            self.deadline = nil
            ring()
        }
    }
}
