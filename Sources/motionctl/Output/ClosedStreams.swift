import CLinux

/// The standard streams that were closed when the program started.
struct ClosedStreams {
  /// Whether standard input is closed.
  let input: Bool
  /// Whether standard output is closed.
  let output: Bool

  /// Detects the closed streams, and keeps files and sockets that are opened later from getting their descriptors.
  init() {
    let closed = motion_fill_standard_descriptors()
    (input, output) = (closed & 1 != 0, closed & 2 != 0)
  }
}
