// Linked into whatever is built for the address sanitizer: workers are started with an environment of their own, which has no
// options, and what a process says in the end may have no reader. So each writes what it finds into a file of its own, and one
// of these fails the run. Leaks are not looked for (CONTRIBUTING.md), and who is to crash on purpose crashes.
const char *__asan_default_options(void) {
  return "detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:log_path=" MOTION_REPORTS;
}
