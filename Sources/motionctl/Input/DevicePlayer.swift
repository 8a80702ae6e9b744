import Glibc
import MotionClient
import MotionFiles
import MotionModel

/// Sends the pointer events of an input device to a daemon, until the device is gone or a signal arrives.
struct DevicePlayer {
  private let source: PointerSource
  private let place: Place
  /// The sender of the events.
  private(set) var sender: InputSender
  private var recorder: TraceRecorder?
  private var decoder: EvdevDecoder
  /// The offset in seconds from the times of the source to those of the boot clock, once it is known.
  private var offset: Double?

  /// The surface that the device points at.
  struct Place {
    /// The target.
    var target: TargetName
    /// The name of the device.
    var device: DeviceName
    /// The size of the surface, in units of the target's position.
    var surface: SIMD2<Double>
    /// The position of its upper left corner.
    var origin: SIMD2<Double>
  }

  /// Makes a player of a source. With a recorder, the events are recorded as well.
  init(
    _ source: PointerSource, onto place: Place, to sender: InputSender, recorder: TraceRecorder?
  ) throws(Failure) {
    self.source = source
    self.place = place
    self.sender = sender
    self.recorder = recorder
    offset = source.isDevice ? 0 : nil
    do {
      decoder = try EvdevDecoder(source.file.device, surface: place.surface)
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  /// Plays until the source ends or a signal arrives. Pointers that are then down are cancelled.
  mutating func play(until interruption: Interruption) throws(Failure) {
    let signals = try interruption.openDescriptor()
    defer { close(signals) }
    do throws(Failure) {
      while try waitForBytes(orSignal: signals), try take() {}
      // A signal that ended the loop must not interrupt what follows.
      _ = interruption.hasCome
      try pass(decoder.finish(at: InputSender.now - (offset ?? 0)))
    } catch {
      throw sender.cancel(after: error)
    }
  }

  /// Waits until there is something to read.
  ///
  /// - Returns: true if there is something to read, false if a signal arrived.
  private func waitForBytes(orSignal signals: Int32) throws(Failure) -> Bool {
    var ready = [
      pollfd(fd: source.file.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&ready, 2, -1) < 0 {
      guard errno == EINTR else {
        throw Failure(.failure, "cannot wait for the device: \(String(cString: strerror(errno)))")
      }
    }
    return ready[1].revents == 0
  }

  /// Reads and sends the available events.
  ///
  /// - Returns: whether more may come.
  private mutating func take() throws(Failure) -> Bool {
    let read: EvdevFile.Read
    do {
      read = try source.file.read()
    } catch {
      throw Failure(error)
    }
    switch read {
    case .nothingYet: return true
    case .gone: return false
    case .bytes(let bytes):
      decoder.append(bytes)
      try pass(drain())
      return true
    }
  }

  /// The pointer events in the bytes so far.
  private mutating func drain() -> [PointerEvent] {
    var events: [PointerEvent] = []
    while true {
      switch decoder.next() {
      case .events(let more): events += more
      case .dropped: if source.isDevice { decoder.resume(atSlot: source.file.slot) }
      case .needsMoreBytes: return events
      }
    }
  }

  /// Sends events, and records them.
  private mutating func pass(_ events: [PointerEvent]) throws(Failure) {
    guard let first = events.first else { return }
    let offset = offset ?? InputSender.now - first.time
    self.offset = offset
    let entries = events.map { event in
      var event = event
      event.location += place.origin
      return PointerTraceFile.Entry(place.target, from: place.device, event)
    }
    try recorder?.record(entries)
    try failing { () throws(MotionClientError) in
      try sender.send(InputMessages.messages(of: entries, shiftedBy: offset))
    }
  }
}
