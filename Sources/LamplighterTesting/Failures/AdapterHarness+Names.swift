import AdapterRuntime
import PushModel
import WorklightProject

extension AdapterHarness {
    /// The adapter that a name means: that which the test is about where there is none.
    ///
    /// - Throws: ``HarnessMisuseError`` when the project has none of that name, or several and none is named.
    package func adapterName(_ name: String?) throws(HarnessMisuseError) -> String {
        let known = project.adapters.map(\.descriptor.name)
        guard let meant = name ?? defaultAdapter else {
            throw HarnessMisuseError(
                "no adapter is named, and the project has several: \(known.joined(separator: ", ")); name one, or make the "
                    + "harness with 'options: .adapter(…)'")
        }
        // The one that the test is about may be one that could not be read, which what comes next tells better.
        guard known.contains(meant) || name == nil && options.toleratesProblems else {
            throw HarnessMisuseError(
                "the project has no adapter '\(meant)'; there are: \(known.joined(separator: ", "))")
        }
        return meant
    }

    /// `Adapter.EventSource`, or `EventSource` of the adapter that is meant.
    ///
    /// - Throws: ``HarnessMisuseError``.
    func eventSource(_ name: String) throws(HarnessMisuseError) -> EventSourceID {
        if let id = EventSourceID(name) { return id }
        return EventSourceID(adapter: try adapterName(nil), name: name)
    }

    /// - Throws: ``HarnessMisuseError`` when there is no such event source.
    func checkExistence(of source: EventSourceID) throws(HarnessMisuseError) {
        let known = runtime.eventSources.map(\.id)
        if !known.contains(source) { throw HarnessMisuseError("\(runtime.unknown(source))") }
    }
}

extension HarnessDevice {
    /// - Throws: ``HarnessMisuseError`` when the project says which applications there are, and this is none of them.
    package func checkApplication() throws(HarnessMisuseError) {
        let known = harness.project.applications.map(\.id)
        // A project of adapters alone does not say.
        guard known.isEmpty || known.contains(application) else {
            throw HarnessMisuseError(
                "the project has no application '\(application)'; there are: \(known.joined(separator: ", "))")
        }
    }

    /// - Throws: ``HarnessMisuseError`` when the application's descriptor does not declare the tag.
    func check(tag: String) throws(HarnessMisuseError) {
        guard let descriptor = harness.project.applications.first(where: { $0.id == application }),
            !descriptor.tags.contains(where: { $0.name == tag })
        else { return }
        let known = descriptor.tags.map(\.name)
        throw HarnessMisuseError(
            "\(descriptor.path) declares no tag '\(tag)'; "
                + (known.isEmpty ? "it declares none" : "there are: \(known.joined(separator: ", "))"))
    }

    /// - Throws: ``HarnessMisuseError`` when it is nobody's.
    func checkUser() throws(HarnessMisuseError) {
        guard user.isEmpty else { return }
        throw HarnessMisuseError(
            "nobody is logged in on device '\(id)', so nobody can subscribe there: take the device of harness.user(…), or of a "
                + "client after the adapter has logged it in")
    }
}
