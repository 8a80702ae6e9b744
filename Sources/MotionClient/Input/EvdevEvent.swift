/// One record of a Linux input device: `struct input_event` of `linux/input.h`, as 64-bit kernels write it.
///
/// Pure data: times, types, codes and values as received, without interpretation.
public struct EvdevEvent: Hashable, Sendable {
  /// The length of a record: two 64-bit numbers for the time, two of 16 bits, one of 32.
  public static let length = 24

  /// The time in seconds of the device's clock: the boot clock, if it was set to that (`EVIOCSCLOCKID`).
  public var time: Double
  /// The kind of event: one of ``Kind``, or an unknown one.
  public var type: UInt16
  /// The axis, button or marker; its meaning depends on the type.
  public var code: UInt16
  /// The new value of an axis, the distance of a wheel or mouse, or 1 and 0 for a button's press and release.
  public var value: Int32

  /// A record.
  public init(time: Double, type: UInt16, code: UInt16, value: Int32) {
    self.time = time
    self.type = type
    self.code = code
    self.value = value
  }

  /// The types of events that concern pointers, with the kernel's numbers (`EV_…`).
  public enum Kind {
    /// `EV_SYN`: separates events.
    public static let mark: UInt16 = 0x00
    /// `EV_KEY`: keys and buttons.
    public static let button: UInt16 = 0x01
    /// `EV_REL`: relative movements.
    public static let way: UInt16 = 0x02
    /// `EV_ABS`: positions.
    public static let place: UInt16 = 0x03
  }

  /// The codes that concern pointers, with the kernel's numbers.
  public enum Code {
    /// `SYN_REPORT`: the events before it happened at one time.
    public static let report: UInt16 = 0
    /// `SYN_DROPPED`: the kernel lost events; those up to the next report are a fragment.
    public static let dropped: UInt16 = 3
    /// `BTN_LEFT`
    public static let leftButton: UInt16 = 0x110
    /// `REL_X`
    public static let wayX: UInt16 = 0x00
    /// `REL_Y`
    public static let wayY: UInt16 = 0x01
    /// `ABS_MT_SLOT`: the slot that the following events are about.
    public static let slot: UInt16 = 0x2F
    /// `ABS_MT_POSITION_X`
    public static let contactX: UInt16 = 0x35
    /// `ABS_MT_POSITION_Y`
    public static let contactY: UInt16 = 0x36
    /// `ABS_MT_TRACKING_ID`: a new contact in the slot, or −1 for none.
    public static let contact: UInt16 = 0x39
  }
}

extension EvdevEvent {
  /// Reads a record from its bytes, in the byte order of this machine.
  ///
  /// - Parameter bytes: ``length`` of them.
  init(bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count == Self.length, "a record of \(bytes.count) bytes")
    let seconds = bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self)
    let microseconds = bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self)
    time = Double(seconds) + Double(microseconds) / 1e6
    type = bytes.loadUnaligned(fromByteOffset: 16, as: UInt16.self)
    code = bytes.loadUnaligned(fromByteOffset: 18, as: UInt16.self)
    value = bytes.loadUnaligned(fromByteOffset: 20, as: Int32.self)
  }
}
