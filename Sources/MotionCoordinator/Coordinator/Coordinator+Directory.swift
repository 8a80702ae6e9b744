import Logging
import ZeroMQ

extension Coordinator {
  /// Handles the notification that something was removed from the runtime directory, or replaced.
  func receiveDirectoryEvents(at now: Duration) {
    guard let source = watched.directory, poller.isReadable(source) else { return }
    directory.notices?.drain()
    directoryWatch.changed(at: now)
  }

  /// Checks the runtime directory, if that is due, and restores what was removed. Without these files no new client or
  /// worker can connect; existing connections continue.
  func lookAfterDirectory(at now: Duration) {
    guard let due = directoryWatch.due, now >= due else { return }
    let loss = directory.loss
    switch directoryWatch.looked(isWhole: loss.isEmpty) {
    case .nothing: return
    case .giveUp:
      return fail(
        "\(directory.path) was removed \(RuntimeWatch.mostRestorations) times. Find out who does that, and start again")
    case .restore: break
    }
    do {
      try directory.restore(loss)
      try sockets.listen(at: loss.sockets, of: directory)
      directoryWatch.restored(at: now)
      logger.warning(
        """
        somebody removed \(loss) from \(directory.path); it is there again, and new clients and workers can connect. \
        Keep those away from it who clean up: tmpfiles.d(5) has x lines for that
        """)
    } catch let error as StartError where error.isTaken {
      fail("\(directory.path) was removed, and is another motiond's now. Give one of the two another --runtime-dir")
    } catch {
      directoryWatch.failed(at: now)
      logger.error(
        "somebody removed \(loss) from \(directory.path), and nobody new can connect until it is back: \(error)")
    }
  }
}
