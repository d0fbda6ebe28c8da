extension Duration {
    /// The duration in seconds.
    var inSeconds: Double { self / .seconds(1) }
}
