import CLinux

/// Which of the standard streams a program was started without.
struct ClosedStreams {
  /// Whether standard input is closed.
  let input: Bool
  /// Whether standard output is closed.
  let output: Bool

  /// Finds out, and keeps files and sockets that are opened later from taking their places.
  init() {
    let closed = motion_fill_standard_descriptors()
    (input, output) = (closed & 1 != 0, closed & 2 != 0)
  }
}
