import MotionModel

/// A record with the name of a target.
protocol Named: AnyObject {
  var name: TargetName { get }
}

/// Records of targets, by their names.
///
/// A table of its own instead of a dictionary, because there may be millions of targets. It keeps some 20 bytes for
/// each beside its record, and compares names in place. It grows without hashing any name again, so that growing at a
/// million does not take longer than a frame. A client that chooses names cannot choose their places: the seed is new
/// in each process. No visible result depends on it.
struct NameTable<Record: Named>: Sequence {
  /// The upper half of a name's hash, and the number of its record plus 1; 0 is an empty place.
  private var places: [UInt64] = Array(repeating: 0, count: 16)
  private var records: [Record?] = []
  private var free: [UInt32] = []
  /// How many targets there are.
  private(set) var count = 0

  subscript(name: TargetName) -> Record? { self[name, NameHash(name)] }

  /// The record of a name whose hash is known already.
  subscript(name: TargetName, hash: NameHash) -> Record? {
    guard let place = place(of: name, hash) else { return nil }
    return records[Self.number(places[place])]
  }

  /// The number of the record of a name: numbers count up from 0 as long as no record is removed.
  func number(of name: TargetName, _ hash: NameHash) -> Int? { place(of: name, hash).map { Self.number(places[$0]) } }

  /// How many numbers there are, including those of removed records.
  var numbers: Int { records.count }

  /// The record of a number, unless it was removed.
  subscript(number: Int) -> Record? { records[number] }

  /// Keeps a record that no look-up finds before it is shown.
  ///
  /// - Returns: its number.
  mutating func hide(_ record: Record) -> UInt32 {
    guard let number = free.popLast() else {
      records.append(record)
      return UInt32(records.count - 1)
    }
    records[Int(number)] = record
    return number
  }

  /// Adds a hidden target whose name, with this hash, is not in the table. It accesses no record: for a hundred
  /// thousand records that have not been accessed for a while, that took 7 ms.
  mutating func show(_ number: UInt32, _ hash: NameHash) {
    reserve(count + 1)
    put(UInt64(hash.value) << 32 | UInt64(number + 1))
    count += 1
  }

  /// Removes a hidden target.
  mutating func removeHidden(_ number: UInt32) {
    records[Int(number)] = nil
    free.append(number)
  }

  /// Reads the place of a name, so that the place is in the cache when the name is looked up. For many consecutive
  /// names the processor waits for several accesses at once.
  func touch(_ hash: NameHash) -> UInt64 { places[Int(hash.value) & (places.count - 1)] }

  /// Adds a target whose name is not in the table.
  mutating func insert(_ record: Record) { insert(record, NameHash(record.name)) }

  /// Adds a target whose name, with this hash, is not in the table.
  ///
  /// - Returns: its number.
  @discardableResult
  mutating func insert(_ record: Record, _ hash: NameHash) -> UInt32 {
    let number = hide(record)
    show(number, hash)
    return number
  }

  /// Removes a target.
  mutating func removeValue(forKey name: TargetName) -> Record? {
    guard var hole = place(of: name, NameHash(name)) else { return nil }
    let number = Self.number(places[hole])
    let record = records[number]
    records[number] = nil
    free.append(UInt32(number))
    count -= 1
    // Entries that were pushed behind the hole move up, so that no search ends at it too early.
    let mask = places.count - 1
    var next = (hole + 1) & mask
    while places[next] != 0 {
      let home = Int(places[next] >> 32) & mask
      if (next - home) & mask >= (next - hole) & mask {
        places[hole] = places[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    places[hole] = 0
    return record
  }

  /// Makes room for so many targets.
  mutating func reserve(_ minimum: Int) {
    guard minimum * 4 > places.count * 3 else { return }
    let old = places
    var size = places.count
    while minimum * 4 > size * 3 { size *= 2 }
    places = Array(repeating: 0, count: size)
    for place in old where place != 0 { put(place) }
  }

  /// The targets, in no order.
  func makeIterator() -> some IteratorProtocol<(key: TargetName, value: Record)> {
    // By places, because records may be hidden.
    places.lazy.filter { $0 != 0 }.compactMap { records[Self.number($0)] }.map { (key: $0.name, value: $0) }
      .makeIterator()
  }

  private mutating func put(_ entry: UInt64) {
    let mask = places.count - 1
    var place = Int(entry >> 32) & mask
    while places[place] != 0 { place = (place + 1) & mask }
    places[place] = entry
  }

  private func place(of name: TargetName, _ hash: NameHash) -> Int? {
    let mask = places.count - 1
    var place = Int(hash.value) & mask
    while places[place] != 0 {
      let isLikely = UInt32(truncatingIfNeeded: places[place] >> 32) == hash.value
      if isLikely, records[Self.number(places[place])]?.name == name { return place }
      place = (place + 1) & mask
    }
    return nil
  }

  private static func number(_ place: UInt64) -> Int { Int(place & 0xFFFF_FFFF) - 1 }
}

/// The hash of a target's name, in this process: one hash serves all tables.
struct NameHash {
  let value: UInt32
  private static let seed = UInt64.random(in: .min ... .max)

  /// Eight bytes at a time, each folded in by a product of twice the width. Source: Wang Yi, wyhash.
  init(_ name: TargetName) {
    var text = name.text
    value = text.withUTF8 { bytes in
      var hash = Self.seed
      var index = 0
      while index + 8 <= bytes.count {
        let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
        hash = Self.fold(hash ^ word)
        index += 8
      }
      var rest = UInt64(bytes.count)
      while index < bytes.count {
        rest = rest << 8 | UInt64(bytes[index])
        index += 1
      }
      return UInt32(truncatingIfNeeded: Self.fold(hash ^ rest ^ 0xa076_1d64_78bd_642f) >> 32)
    }
  }

  private static func fold(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0xe703_7ed1_a0b4_28db)
    return product.high ^ product.low
  }
}
