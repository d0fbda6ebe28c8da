/// Who watches what a task has adapters do: for tests.
///
/// Scripts run on threads of their own, which know nothing of tasks. What they reach there, such as stand-ins of back ends and
/// log handlers, finds here whom the task of the running call has named.
package enum CallObserver {
    @TaskLocal package static var current: (any Sendable)?
}
