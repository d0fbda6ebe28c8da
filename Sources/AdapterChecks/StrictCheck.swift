import AdapterSyntax
import PushModel
public import WorklightProject

/// Looks for what loads without complaint and bites later: names that nothing has, values that nobody sees, messages that a
/// push service will refuse. Runs nothing.
///
/// Only what can be told for certain from the text is a problem: what is computed is taken to be right.
public enum StrictCheck {
    /// The problems of a project, by file and line. A script that cannot be read is left out: that it cannot is told elsewhere.
    ///
    /// What a comment allows (see ``Allowances``) is left out, too.
    public static func problems(of project: Project) async -> [ProjectProblem] {
        await ThreadPool.shared.run { problems(in: ReadProject(project)) }
    }

    private static let checks: [any ScriptCheck.Type] = [
        UndefinedCallbackCheck.self, UndeclaredProcedureCheck.self, FunctionCheck.self, SharedGlobalCheck.self,
        MutableGlobalCheck.self, ImplicitGlobalCheck.self, UnknownNameCheck.self, UnknownMemberCheck.self,
        MissingPropertyCheck.self, UnknownOptionCheck.self, EventSourceCheck.self, UnknownEventSourceCheck.self,
        SecurityTestCheck.self,
        WrongBackEndCheck.self, HTTPRequestCheck.self, SQLParameterCheck.self, PayloadSizeCheck.self,
        UnavailableCheck.self, JavaClassCheck.self, JavaMethodCheck.self, RhinoOnlyCheck.self,
    ]

    private static func problems(in project: ReadProject) -> [ProjectProblem] {
        var all = LoginFunctionCheck.problems(in: project)
        for script in project.scripts.values {
            for check in checks { all += check.problems(in: script, of: project) }
        }
        let allowances = Allowances(project)
        return Set(all).filter { !allowances.allow($0) }.sorted { left, right in
            (left.file, left.line ?? 0, left.column ?? 0, left.id ?? "", left.message)
                < (right.file, right.line ?? 0, right.column ?? 0, right.id ?? "", right.message)
        }
    }
}

/// One thing to look for in each adapter.
protocol ScriptCheck: SendableMetatype {
    static func problems(in script: ReadScript, of project: ReadProject) -> [ProjectProblem]
}
