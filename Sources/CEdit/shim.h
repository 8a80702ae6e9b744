// libedit, as installed by libedit-dev, and what Swift cannot import from it: functions with variable arguments.
#pragma once

#include <histedit.h>
#include <stdio.h>

typedef char *(*motion_edit_prompt)(EditLine *);
typedef unsigned char (*motion_edit_function)(EditLine *, int);

/// An editor of lines of standard input, shown on standard output or on standard error; null if there is no memory.
static inline EditLine *motion_edit_open(const char *program, int onError) {
  return el_init(program, stdin, onError ? stderr : stdout, stderr);
}

/// Sets the function that returns the prompt.
static inline int motion_edit_set_prompt(EditLine *editor, motion_edit_prompt prompt) {
  return el_set(editor, EL_PROMPT, prompt);
}

/// Sets the function that reads a character.
static inline int motion_edit_set_reader(EditLine *editor, el_rfunc_t reader) {
  return el_wset(editor, EL_GETCFN, reader);
}

/// Sets the value that the functions of an editor can read.
static inline int motion_edit_set_client(EditLine *editor, void *client) { return el_set(editor, EL_CLIENTDATA, client); }

/// The value that was set, or null.
static inline void *motion_edit_client(EditLine *editor) {
  void *client = (void *)0;
  el_get(editor, EL_CLIENTDATA, &client);
  return client;
}

/// Binds the keys of Emacs, and leaves signals to the caller.
static inline void motion_edit_prepare(EditLine *editor) {
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_SIGNAL, 0);
}

/// Sets the terminal for editing, or back to lines.
static inline void motion_edit_set_terminal(EditLine *editor, int forEditing) { el_set(editor, EL_PREP_TERM, forEditing); }

/// Binds a key to a function.
static inline int motion_edit_bind(EditLine *editor, const char *key, const char *name, motion_edit_function function) {
  if (el_set(editor, EL_ADDFN, name, name, function)) return -1;
  return el_set(editor, EL_BIND, key, name, (char *)0);
}

/// Binds a key to one of libedit's own functions.
static inline int motion_edit_bind_own(EditLine *editor, const char *key, const char *name) {
  return el_set(editor, EL_BIND, key, name, (char *)0);
}

/// Draws the prompt and the line again.
static inline void motion_edit_refresh(EditLine *editor) { el_set(editor, EL_REFRESH); }

/// Lets an editor use a history.
static inline int motion_edit_set_history(EditLine *editor, History *lines) {
  return el_set(editor, EL_HIST, history, lines);
}

/// Sets the number of lines that a history keeps; a line that repeats the one before is not kept.
static inline void motion_edit_history_bound(History *lines, int count) {
  HistEvent event;
  history(lines, &event, H_SETSIZE, count);
  history(lines, &event, H_SETUNIQUE, 1);
}

/// Adds a line to a history.
static inline void motion_edit_history_add(History *lines, const char *line) {
  HistEvent event;
  history(lines, &event, H_ENTER, line);
}
