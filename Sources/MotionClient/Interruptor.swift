import Glibc

/// A descriptor that interrupts a client's waits while it is readable; it belongs to the caller.
struct Interruptor {
  let descriptor: Int32

  /// Whether the descriptor is readable.
  var isSignalled: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }
}
