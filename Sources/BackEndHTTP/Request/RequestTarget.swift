import Core

/// How paths and parameters are spelled in a request.
enum RequestTarget {
    /// The path as the script wrote it (since 5.0.6 nothing is encoded again), with a leading `/`. Only what would break
    /// the request line – blanks, control characters and what is not ASCII – becomes `%XX` of its UTF-8.
    static func make(path: String, form: String) -> String {
        var target = PercentEncoding.encode(path, keeping: PercentEncoding.isVisible)
        if !target.hasPrefix("/") { target = "/" + target }
        if !form.isEmpty { target += (target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + form }
        return target
    }
}
