import AdapterSyntax
import Core
public import WorklightProject

/// Finds mistakes in scripts that fail only when they are reached: unknown names, wrong arguments, messages that a push service
/// refuses. Runs nothing.
///
/// Reports only what is certain from the source; computed values are assumed to be correct.
public enum StrictCheck {
    /// Returns the problems of a project, by file and line, without those that a comment allows (``CheckSuppressions``). Scripts that cannot
    /// be read are left out.
    ///
    /// - Parameter loginKeys: the realms for which the setting `loginKeys` names a member.
    public static func problems(of project: Project, loginKeys: Set<String> = []) async -> [ProjectError] {
        await ThreadPool.shared.run { problems(in: ParsedProject(project), loginKeys) }
    }

    private static let checks: [any ScriptCheck.Type] = [
        UndefinedCallbackCheck.self, UndeclaredProcedureCheck.self, FunctionCheck.self, SharedGlobalCheck.self,
        MutableGlobalCheck.self, ImplicitGlobalCheck.self, UnknownNameCheck.self, UnknownMemberCheck.self,
        MissingPropertyCheck.self, ArgumentCheck.self, EventSourceCheck.self, UnknownEventSourceCheck.self,
        SecurityTestCheck.self, RealmNameCheck.self, EvalCheck.self,
        WrongBackEndCheck.self, HTTPRequestCheck.self, SQLParameterCheck.self, NotificationCheck.self,
        PayloadSizeCheck.self,
        UnavailableCheck.self, JavaClassCheck.self, JavaMethodCheck.self, RhinoOnlyCheck.self,
    ]

    private static func problems(in project: ParsedProject, _ loginKeys: Set<String>) -> [ProjectError] {
        var all =
            LoginFunctionCheck.problems(in: project) + project.project.unverifiedLogins
            + LoginKeyCheck.problems(in: project.project, except: loginKeys)
        for script in project.scripts.values {
            for check in checks { all += check.problems(in: script, of: project) }
        }
        return Set(all).filter { !project.allowances.allow($0) }.sorted { left, right in
            (left.file, left.line ?? 0, left.column ?? 0, left.id ?? "", left.message)
                < (right.file, right.line ?? 0, right.column ?? 0, right.id ?? "", right.message)
        }
    }
}

extension ProjectError {
    /// True if a problem of ``StrictCheck`` is reported without `--strict` as well: the adapter cannot be loaded, logins are not possible, a
    /// procedure has no function, or a function that an event source names does not exist.
    public var isCertainFailure: Bool {
        severity == .error || id == CheckID.missingFunction.rawValue || id == CheckID.undefinedCallback.rawValue
    }
}

/// One kind of problem to search for in each adapter.
protocol ScriptCheck: SendableMetatype {
    static func problems(in script: ParsedScript, of project: ParsedProject) -> [ProjectError]
}
