// libedit's settings are set by functions with variable arguments, which Swift does not call.
#include <histedit.h>
#include <stdio.h>

typedef unsigned char (*lamplighter_el_function)(EditLine *, int);
typedef char *(*lamplighter_el_prompt)(EditLine *);

/// Returns an editor that reads from standard input and writes to standard error, with `data` for its callbacks.
static inline EditLine *lamplighter_el_init(void *data, lamplighter_el_prompt prompt, History *lines) {
    EditLine *editor = el_init("lamplighter", stdin, stderr, stderr);
    if (!editor) return NULL;
    el_set(editor, EL_CLIENTDATA, data);
    el_set(editor, EL_PROMPT, prompt);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_HIST, history, lines);
    // A signal that ends the program resets the terminal.
    el_set(editor, EL_SIGNAL, 1);
    // Ctrl-C is a key while a line is edited.
    el_set(editor, EL_SETTY, "-d", "-isig", NULL);
    el_set(editor, EL_BIND, "^W", "ed-delete-prev-word", NULL);
    return editor;
}

static inline void *lamplighter_el_data(EditLine *editor) {
    void *data = NULL;
    el_get(editor, EL_CLIENTDATA, &data);
    return data;
}

static inline void lamplighter_el_bind(
    EditLine *editor, const char *key, const char *name, lamplighter_el_function function) {
    el_set(editor, EL_ADDFN, name, name, function);
    el_set(editor, EL_BIND, key, name, NULL);
}

/// Puts the terminal into libedit's mode, or back into its own.
static inline void lamplighter_el_prepare_terminal(EditLine *editor, int isEditing) {
    el_set(editor, EL_PREP_TERM, isEditing);
}

static inline History *lamplighter_history_init(int size) {
    History *lines = history_init();
    HistEvent event;
    if (!lines) return NULL;
    history(lines, &event, H_SETSIZE, size);
    history(lines, &event, H_SETUNIQUE, 1);
    return lines;
}

static inline void lamplighter_history_enter(History *lines, const char *line) {
    HistEvent event;
    history(lines, &event, H_ENTER, line);
}
