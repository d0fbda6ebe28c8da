import PushModel
import Synchronization

/// The event sources of all loaded adapters, for those who must know whether one exists.
final class EventSourceDirectory: Sendable {
    private let declarations = Mutex<[EventSourceID: EventSourceDeclaration]>([:])

    func replace(adapter: String, with new: [EventSourceDeclaration]) {
        declarations.withLock { declarations in
            declarations = declarations.filter { $0.key.adapter != adapter }
            for declaration in new { declarations[declaration.id] = declaration }
        }
    }

    func declaration(of id: EventSourceID) -> EventSourceDeclaration? {
        declarations.withLock { $0[id] }
    }

    var all: [EventSourceDeclaration] {
        declarations.withLock { $0.values.sorted { $0.id < $1.id } }
    }
}
