// Whoever imports this has the clock of tests as well.
@_exported public import Core
