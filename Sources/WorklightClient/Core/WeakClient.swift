/// A client that is not kept by what belongs to it.
struct WeakClient: Sendable {
    weak var client: WLClient?
}
