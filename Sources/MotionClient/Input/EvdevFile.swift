import CLinux
import Glibc

/// An open input device, `/dev/input/event…`: the source of the bytes for an ``EvdevDecoder``.
///
/// Reading never blocks; poll ``descriptor``. The descriptor is closed when the object is released.
public final class EvdevFile {
  /// The most records that one read returns: the kernel queues no more than some hundreds for a touchscreen.
  public static let recordsPerRead = 256

  /// The result of a read.
  public enum Read: Hashable, Sendable {
    /// Some bytes.
    case bytes([UInt8])
    /// No bytes are available now.
    case nothingYet
    /// The device is gone; no more bytes will come.
    case gone
  }

  /// The descriptor to poll; readable when there are bytes to read.
  public let descriptor: Int32
  /// The device's properties.
  public let device: EvdevDevice
  private let path: String

  /// Opens a touchscreen or a mouse, and makes it use the boot clock for the times of its events.
  ///
  /// - Throws: ``EvdevFileError`` if the file cannot be opened, or is neither a touchscreen nor a mouse.
  public convenience init(path: String) throws(EvdevFileError) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw EvdevFileError(path, cannot: "be opened", code: errno) }
    do {
      try self.init(descriptor: descriptor, device: Self.device(descriptor, path), path: path)
    } catch {
      close(descriptor)
      throw error
    }
    guard motion_input_use_boot_clock(descriptor) >= 0 else {
      throw EvdevFileError(path, cannot: "use the boot clock", code: errno)
    }
  }

  /// Takes ownership of a descriptor that delivers the bytes of `device`, and closes it at the end.
  public init(descriptor: Int32, device: EvdevDevice, path: String) {
    self.descriptor = descriptor
    self.device = device
    self.path = path
  }

  deinit { close(descriptor) }

  /// The current slot of a touchscreen, for ``EvdevDecoder/resume(atSlot:)``; 0 if the device does not report it.
  public var slot: Int32 { Self.axis(descriptor, EvdevEvent.Code.slot)?.value ?? 0 }

  /// Reads the available bytes, up to ``recordsPerRead`` records.
  ///
  /// - Throws: ``EvdevFileError`` for errors of the system; a device that was unplugged is ``Read/gone``.
  public func read() throws(EvdevFileError) -> Read {
    var block = [UInt8](repeating: 0, count: Self.recordsPerRead * EvdevEvent.length)
    while true {
      let count = Glibc.read(descriptor, &block, block.count)
      if count > 0 { return .bytes(Array(block[..<count])) }
      if count == 0 { return .gone }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothingYet
      case ENODEV: return .gone
      default: throw EvdevFileError(path, cannot: "be read", code: errno)
      }
    }
  }

  private static func device(_ descriptor: Int32, _ path: String) throws(EvdevFileError) -> EvdevDevice {
    func has(_ type: UInt16, _ code: UInt16) -> Int32 { motion_input_has(descriptor, UInt32(type), UInt32(code)) }
    let slots = has(EvdevEvent.Kind.place, EvdevEvent.Code.slot)
    guard slots >= 0 else { throw EvdevFileError(path, cannot: "be identified", code: errno) }
    if slots == 1, let slot = axis(descriptor, EvdevEvent.Code.slot),
      let x = axis(descriptor, EvdevEvent.Code.contactX), let y = axis(descriptor, EvdevEvent.Code.contactY),
      x.minimum <= x.maximum, y.minimum <= y.maximum
    {
      return .touchscreen(horizontal: x.minimum...x.maximum, vertical: y.minimum...y.maximum, slot: slot.value)
    }
    guard has(EvdevEvent.Kind.way, EvdevEvent.Code.wayX) == 1,
      has(EvdevEvent.Kind.button, EvdevEvent.Code.leftButton) == 1
    else { throw EvdevFileError(path, cannot: "be used as a pointing device", code: 0) }
    return .mouse
  }

  private static func axis(
    _ descriptor: Int32, _ code: UInt16
  ) -> (value: Int32, minimum: Int32, maximum: Int32)? {
    var (value, minimum, maximum) = (Int32(0), Int32(0), Int32(0))
    guard motion_input_axis(descriptor, UInt32(code), &value, &minimum, &maximum) >= 0 else { return nil }
    return (value, minimum, maximum)
  }
}

/// Why a file cannot be used as an input device: the operation that failed, and the remedy.
public struct EvdevFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The operation that failed, as it follows "cannot" in the message.
  public let problem: String
  /// The system's error number; 0 if the system had none.
  public let code: Int32

  init(_ path: String, cannot problem: String, code: Int32) {
    self.path = path
    self.problem = problem
    self.code = code
  }

  /// The remedy.
  public var remedy: String {
    switch code {
    case EACCES, EPERM: "add the user to the group of the file, usually \"input\""
    case ENOENT: "see /proc/bus/input/devices for the devices of this machine"
    default: "name the /dev/input/event… of a touchscreen with multi-touch slots or of a mouse"
    }
  }

  /// The whole message in one line.
  public var description: String {
    "\(path) cannot \(problem)" + (code == 0 ? "" : ": \(String(cString: strerror(code)))") + "; \(remedy)"
  }
}
