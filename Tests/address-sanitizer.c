// Linked into every program that is built for the address sanitizer: workers are started with an environment of their
// own, which has no options, and the last output of a process may have no reader. So each writes its findings into a
// file of its own, and one such file fails the run. Leaks are not searched for (CONTRIBUTING.md), and a process that
// has to crash on purpose crashes.
const char *__asan_default_options(void) {
  return "detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:log_path=" MOTION_REPORTS;
}
