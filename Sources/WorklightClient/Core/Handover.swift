/// Carries an object of the application's, such as a delegate, from the call that brought it to the callback queue.
///
/// It is safe to send: the library keeps such objects without looking into them, and calls them on the callback queue
/// only, which runs one block at a time. That is the contract of every Objective-C delegate (docs/client-api.md,
/// "Threads").
struct Handover<Object>: @unchecked Sendable {
    let object: Object

    init(_ object: Object) {
        self.object = object
    }
}
