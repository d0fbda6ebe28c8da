import AdapterRuntime
import PushModel
import WorklightProject

extension AdapterHarness {
    /// Returns the name of an adapter after a check that the project has it; the default adapter's name when `nil`.
    ///
    /// - Throws: ``HarnessMisuseError`` when the project has no adapter of this name, or when no name is passed and the project has several
    ///   adapters.
    package func adapterName(_ name: String?) throws(HarnessMisuseError) -> String {
        let known = project.adapters.map(\.descriptor.name)
        guard let meant = name ?? defaultAdapter else {
            throw HarnessMisuseError(
                "no adapter is named, and the project has several: \(known.joined(separator: ", ")); name one, or make the "
                    + "harness with 'options: .adapter(…)'")
        }
        // The default adapter may be one that could not be read. The next operation then reports the reason.
        guard known.contains(meant) || name == nil && options.toleratesProblems else {
            throw HarnessMisuseError(
                "the project has no adapter '\(meant)'; there are: \(known.joined(separator: ", "))")
        }
        return meant
    }

    /// Returns the identifier for `Adapter.EventSource`. A name without an adapter belongs to the default adapter.
    ///
    /// - Throws: ``HarnessMisuseError`` when the name has no adapter and the project has several.
    func eventSource(_ name: String) throws(HarnessMisuseError) -> EventSourceID {
        if let id = EventSourceID(name) { return id }
        return EventSourceID(adapter: try adapterName(nil), name: name)
    }

    /// Checks that the event source exists.
    ///
    /// - Throws: ``HarnessMisuseError``.
    func checkExistence(of source: EventSourceID) throws(HarnessMisuseError) {
        let known = runtime.eventSources.map(\.id)
        if !known.contains(source) { throw HarnessMisuseError("\(runtime.unknown(source))") }
    }
}

extension HarnessDevice {
    /// Checks that the project has the device's application.
    ///
    /// - Throws: ``HarnessMisuseError`` when it declares other applications only.
    package func checkApplication() throws(HarnessMisuseError) {
        let known = harness.project.applications.map(\.id)
        // A project may consist of adapters alone and declare no application.
        guard known.isEmpty || known.contains(application) else {
            throw HarnessMisuseError(
                "the project has no application '\(application)'; there are: \(known.joined(separator: ", "))")
        }
    }

    /// Checks that the application's descriptor, if the project has one, declares the tag.
    ///
    /// - Throws: ``HarnessMisuseError``.
    func check(tag: String) throws(HarnessMisuseError) {
        guard let descriptor = harness.project.applications.first(where: { $0.id == application }),
            !descriptor.tags.contains(where: { $0.name == tag })
        else { return }
        let known = descriptor.tags.map(\.name)
        throw HarnessMisuseError(
            "\(descriptor.path) declares no tag '\(tag)'; "
                + (known.isEmpty ? "it declares none" : "there are: \(known.joined(separator: ", "))"))
    }

    /// Checks that the device has a user.
    ///
    /// - Throws: ``HarnessMisuseError``.
    func checkUser() throws(HarnessMisuseError) {
        guard user.isEmpty else { return }
        throw HarnessMisuseError(
            "nobody is logged in on device '\(id)', so nobody can subscribe there: take the device of harness.user(…), or of a "
                + "client after the adapter has logged it in")
    }
}
