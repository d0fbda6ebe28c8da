// Files that import TestSupport can use the clock of tests, `ManualTime`, as well.
@_exported public import Core
