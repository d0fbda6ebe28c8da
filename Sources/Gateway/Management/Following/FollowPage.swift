/// A part of a series that somebody follows.
struct FollowPage<Entry: Sendable>: Sendable {
    var entries: [Entry]
    /// Up to where it goes: the next page begins after it.
    var last: Int
    /// How many were dropped before they could be read.
    var lost: Int
}
