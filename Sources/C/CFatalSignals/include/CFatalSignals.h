#pragma once

/// Has SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV and SIGTRAP write one line to standard error and then end the process, as they do by
/// default. The line has `name`, the signal, the address or the sender, and the thread.
///
/// The handlers replace those of Swift's runtime, which start a second process for a backtrace. That process keeps the listening sockets open
/// after this one has ended. They run on a stack that the calling thread alone has, so the main thread can also report an overflow of its
/// stack. Call it at the top of `main`, since JavaScriptCore forwards signals to the handlers that it finds.
void lamplighter_report_fatal_signals(const char *name);
