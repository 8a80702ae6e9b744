import Glibc

/// Reports when something in some directories was removed or replaced. The corresponding C functions are those of
/// `inotify`.
final class ChangeNotices {
  /// Readable when something has changed.
  let descriptor: Int32

  /// Watches nothing yet; `nil` if the system's limit is reached (`fs.inotify.max_user_instances`).
  init?() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Watches these directories, as they are now: directories that replace them later have to be watched again.
  func watch(_ directories: [String]) {
    let events = IN_DELETE | IN_DELETE_SELF | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF | IN_ONLYDIR
    for directory in directories { _ = inotify_add_watch(descriptor, directory, UInt32(events)) }
  }

  /// Discards the notifications so far.
  func drain() {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
  }
}
