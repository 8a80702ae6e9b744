import MotionModel
import MotionWire

/// Publishes events beside values: plans that end, and properties that get another driver.
extension Publisher {
  /// Publishes the plans that ended.
  func publish(_ ended: [EndedIntention], at now: Duration) {
    guard !ended.isEmpty else { return }
    for feed in feeds.outcomes {
      guard case .outcomes(let target) = feed.interest else { continue }
      let heard = target == nil ? ended : ended.filter { $0.target == target }
      // Numbers, tags and lengths take 60 bytes at most.
      let parts = heard.chunks(ofBytes: Self.messageBytes) { ended in
        60 + ended.target.text.utf8.count + ended.type.text.utf8.count + (ended.name?.text.utf8.count ?? 0)
          + min(ended.reason.utf8.count, Limits.textBytes)
      }
      for part in parts {
        feed.sequence += 1
        send(.ended(Array(part)), on: feed, at: now)
      }
    }
  }

  /// Whether any subscriber receives the drivers; otherwise they need not be determined.
  var tellsDrivers: Bool { !feeds.drivers.isEmpty }

  /// Publishes the new driver of each property.
  func publish(_ changes: [DriverChange], at now: Duration) {
    guard !changes.isEmpty else { return }
    for feed in feeds.drivers {
      guard case .drivers(let scope) = feed.interest else { continue }
      let heard = changes.filter { scope.contains($0.reference) }
      // Numbers, tags and lengths take 90 bytes at most.
      let parts = heard.chunks(ofBytes: Self.messageBytes) { change in
        90 + change.reference.target.text.utf8.count + change.reference.property.text.utf8.count
          + (change.driver.map {
            $0.executor.text.utf8.count + $0.type.text.utf8.count + ($0.name?.text.utf8.count ?? 0)
          } ?? 0)
      }
      for part in parts {
        feed.sequence += 1
        send(.drivers(Array(part)), on: feed, at: now)
      }
    }
  }
}

extension Array {
  /// The elements in pieces of about so many bytes at most, each with one element at least. A short array is its only
  /// piece, and is not copied.
  func chunks(ofBytes limit: Int, _ size: (Element) -> Int) -> [ArraySlice<Element>] {
    var pieces: [ArraySlice<Element>] = []
    var (first, bytes) = (0, 0)
    for (index, element) in enumerated() {
      let more = size(element)
      if bytes + more > limit, index > first {
        pieces.append(self[first..<index])
        (first, bytes) = (index, 0)
      }
      bytes += more
    }
    if first < count { pieces.append(self[first...]) }
    return pieces
  }
}
