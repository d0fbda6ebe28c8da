/// The version of Lamplighter.
public enum LamplighterVersion {
    public static let current = "0.1.0"
}
