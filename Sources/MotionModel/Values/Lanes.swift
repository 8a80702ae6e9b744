/// The value, or the velocity, of a property: one to four lanes of `Double`.
///
/// `position` has two lanes (x, y), `opacity` one, `color` four. A literal creates one: `0.5`, `[100, 50]`. The unused
/// lanes are zero, so that equality and arithmetic can ignore the count.
public struct Lanes: Hashable, Sendable {
  /// The lanes; those at and beyond ``count`` are zero.
  public var storage: SIMD4<Double>
  /// The number of lanes in use, 1 to 4.
  public let count: Int

  /// Creates a value from the first `count` lanes of `storage`; the others become zero.
  ///
  /// - Precondition: `count` is 1 to 4.
  public init(_ storage: SIMD4<Double>, count: Int) {
    precondition((1...Limits.lanes).contains(count), "a value has 1 to 4 lanes, not \(count)")
    // All at once: lane by lane took 15 % of a published frame of 20,000 properties, by profile.
    self.storage = storage.replacing(with: 0, where: SIMD4<Int64>(0, 1, 2, 3) .>= Int64(count))
    self.count = count
  }

  /// Creates a value of one lane.
  public init(_ scalar: Double) {
    self.init(SIMD4(scalar, 0, 0, 0), count: 1)
  }

  /// Creates the value with these lanes, or `nil` unless there are 1 to 4.
  @inlinable public init?(_ lanes: some Collection<Double>) {
    let count = lanes.count
    guard (1...Limits.lanes).contains(count) else { return nil }
    var storage = SIMD4<Double>.zero
    var index = 0
    for lane in lanes {
      storage[index] = lane
      index += 1
    }
    self.init(storage, count: count)
  }

  /// Returns the zero with `count` lanes.
  public static func zero(count: Int) -> Lanes { Lanes(.zero, count: count) }

  /// The lane at `index`, which is below ``count``.
  public subscript(index: Int) -> Double {
    get {
      precondition((0..<count).contains(index), "lane \(index) of a value with \(count) lanes")
      return storage[index]
    }
    set {
      precondition((0..<count).contains(index), "lane \(index) of a value with \(count) lanes")
      storage[index] = newValue
    }
  }

  /// The lanes in use, in order.
  public var array: [Double] { (0..<count).map { storage[$0] } }

  /// Whether every lane is a finite number.
  public var isFinite: Bool {
    storage[0].isFinite && storage[1].isFinite && storage[2].isFinite && storage[3].isFinite
  }

  /// Returns whether every lane is a number of at most this magnitude; infinity and NaN are not.
  public func isWithin(_ magnitude: Double) -> Bool { storage.isWithin(magnitude) }
}

extension Lanes: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
  /// Creates a value of one lane.
  public init(floatLiteral value: Double) { self.init(value) }
  /// Creates a value of one lane.
  public init(integerLiteral value: Int) { self.init(Double(value)) }
  /// Creates a value of as many lanes as the literal has elements, 1 to 4.
  public init(arrayLiteral elements: Double...) {
    guard let lanes = Lanes(elements) else {
      preconditionFailure("a value has 1 to 4 lanes, not \(elements.count)")
    }
    self = lanes
  }
}

extension Lanes: CustomStringConvertible {
  /// One lane as a number, several in brackets: `0.5`, `[100.0, 50.0]`.
  public var description: String {
    count == 1 ? "\(storage[0])" : "[" + array.map { "\($0)" }.joined(separator: ", ") + "]"
  }
}

extension SIMD4<Double> {
  /// The numbers of so many lanes, 1 to 4, and 0 in the others.
  ///
  /// Written out, because setting a lane whose number is not known to the compiler takes four nanoseconds: the vector is
  /// written to memory, changed there and read back, and the read waits for the narrower write.
  @inlinable @inline(__always) package init(lanes count: Int, _ lane: (Int) -> Double) {
    self.init(lane(0), count > 1 ? lane(1) : 0, count > 2 ? lane(2) : 0, count > 3 ? lane(3) : 0)
  }

  /// Returns whether every lane is a number of at most this magnitude; infinity and NaN are not.
  @inlinable @inline(__always) package func isWithin(_ magnitude: Double) -> Bool {
    all((self .<= magnitude) .& (self .>= -magnitude))
  }
}
