import MotionModel

/// How much of the last minutes of a run is kept.
public struct HistoryLimits: Hashable, Sendable {
  /// How far back it reaches at most.
  public var duration = Duration.seconds(600)
  /// The most bytes on the disk.
  public var bytes = 256 << 20
  /// The most frames from one snapshot to the next: half a minute, whose replay takes some hundredths of a second.
  var framesBetweenSnapshots = 3600

  /// The operations of a transaction beyond which the loop does not encode them: so many take it half a millisecond.
  var operationsInRing = 250

  /// The usual limits: ten minutes, and 256 MiB.
  public init() {}

  /// The shortest duration.
  private static let least = Duration.seconds(1)

  /// Reads `10min`, `256MiB`, or both, joined by a comma; what is not stated is as usual.
  ///
  /// - Throws: ``StartError`` with the accepted forms.
  public init(_ text: String) throws {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let part = part.drop { $0 == " " }
      if part.hasSuffix("MiB"), let number = Int(part.dropLast(3)), (1...1 << 20).contains(number) {
        bytes = number << 20
      } else if let duration = DurationText.duration(of: String(part)), duration >= Self.least {
        self.duration = duration
      } else {
        throw StartError(
          "keep a history of \"\(text.prefix(32))\"", "it is neither a duration nor a size",
          remedy: "Write none, or how much is kept at most: 10min, 256MiB, or \"10min, 256MiB\"")
      }
    }
  }

  /// The size of a segment beyond which the next is begun: the oldest is dropped as a whole.
  var segmentBytes: Int { bytes / 8 }
  /// Likewise its duration.
  var segmentDuration: Duration { duration / 8 }
}
