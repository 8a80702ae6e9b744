/// A curve in one line of text: the last values as blocks of eight heights, the newest on the right.
struct Sparkline {
  /// The number of values that it shows.
  let width: Int
  private var samples: [Double] = []
  private var next = 0

  private static let blocks = Array("▁▂▃▄▅▆▇█")

  /// An empty curve of `width` characters.
  init(width: Int) {
    precondition(width > 0, "a curve of \(width) characters")
    self.width = width
  }

  /// Adds a value on the right, and drops the oldest one on the left when it is full. Constant cost.
  mutating func add(_ value: Double) {
    if samples.count < width {
      samples.append(value)
    } else {
      samples[next] = value
      next = (next + 1) % width
    }
  }

  /// The curve, scaled so that its lowest value is the lowest block and its highest the highest.
  ///
  /// A curve of equal values is drawn at the bottom. The text is padded with spaces on the left.
  var text: String {
    let values = samples[next...] + samples[..<next]
    guard let low = values.min(), let high = values.max() else { return String(repeating: " ", count: width) }
    let span = high - low
    let line = values.map { value -> Character in
      guard span > 0, span.isFinite else { return Self.blocks[0] }
      let height = Int((value - low) / span * Double(Self.blocks.count))
      return Self.blocks[min(height, Self.blocks.count - 1)]
    }
    return String(repeating: " ", count: width - line.count) + String(line)
  }
}
