#define _GNU_SOURCE
#include "CFatalSignals.h"
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const struct {
    int number;
    const char *name;
} fatal[] = {
    {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGQUIT, "SIGQUIT"}, {SIGSEGV, "SIGSEGV"}, {SIGTRAP, "SIGTRAP"},
};

static char program[128];
static char alternate_stack[64 << 10] __attribute__((aligned(16)));

// One write of the whole line, so that lines of other threads do not come between its parts.
struct line {
    char bytes[512];
    size_t length;
};

static void append(struct line *line, const char *text) {
    while (*text && line->length < sizeof line->bytes - 1) line->bytes[line->length++] = *text++;
}

static void append_number(struct line *line, uint64_t number, unsigned base) {
    char digits[65];
    size_t next = sizeof digits;
    digits[--next] = 0;
    do digits[--next] = "0123456789abcdef"[number % base];
    while (number /= base);
    append(line, digits + next);
}

// Only functions that POSIX lets a handler call, and two system calls of Linux.
static void report(int number, siginfo_t *info, void *context) {
    (void)context;
    struct line line = {.length = 0};
    append(&line, program);
    append(&line, ": ");
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        if (fatal[i].number == number) append(&line, fatal[i].name);
    if (info->si_code <= 0) {
        append(&line, info->si_pid == getpid() ? " raised by the process itself" : " sent by process ");
        if (info->si_pid != getpid()) append_number(&line, (uint64_t)info->si_pid, 10);
    } else {
        append(&line, " at address 0x");
        append_number(&line, (uintptr_t)info->si_addr, 16);
    }
    append(&line, " in thread ");
    append_number(&line, (uint64_t)gettid(), 10);
    char name[17] = "";
    prctl(PR_GET_NAME, name);
    append(&line, " (");
    append(&line, name);
    append(&line, "); the process ends\n");
    ssize_t written = write(STDERR_FILENO, line.bytes, line.length);
    (void)written;

    // JavaScriptCore's own handlers of SIGSEGV and SIGBUS call this one, so SA_RESETHAND would not be enough.
    signal(number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
    // The first process of a container survives the default action of its own signals.
    _exit(128 + number);
}

void lamplighter_report_fatal_signals(const char *name) {
    strncpy(program, name, sizeof program - 1);
    stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = report, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) sigaction(fatal[i].number, &action, NULL);
}
