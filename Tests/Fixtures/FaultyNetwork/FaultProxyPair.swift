import Glibc
import ZeroMQ

/// The bytes that wait in one direction of a connection.
struct FaultProxyStream {
  /// The bytes that have arrived and are not passed on yet, each piece with its earliest time.
  private(set) var pieces: [(due: Duration, bytes: [UInt8])] = []
  private(set) var waiting = 0
  /// The end of the stream has arrived.
  var hasEnded = false
  /// The end was passed on.
  var hasToldEnd = false

  /// The maximum of waiting bytes: further ones stay with the sender, as in a network.
  static let room = 1 << 18

  mutating func add(_ bytes: [UInt8], due: Duration) {
    pieces.append((max(due, pieces.last?.due ?? due), bytes))
    waiting += bytes.count
  }

  /// Writes the pieces that are due.
  ///
  /// - Returns: how many bytes were taken, or `nil` when the peer accepts no more.
  mutating func write(to descriptor: Int32, now: Duration, atMost limit: Int) -> Int? {
    var written = 0
    while let piece = pieces.first, piece.due <= now, written < limit {
      let count = send(descriptor, piece.bytes, min(piece.bytes.count, limit - written), Int32(MSG_NOSIGNAL))
      guard count >= 0 else { return errno == EAGAIN ? written : nil }
      written += count
      waiting -= count
      pieces[0].bytes.removeFirst(count)
      guard pieces[0].bytes.isEmpty else { return written }
      pieces.removeFirst()
    }
    return written
  }
}

/// One connection through the proxy: the descriptors of both its ends, and the bytes on their way between them.
struct FaultProxyPair {
  /// The number of connections made before it.
  let number: Int
  /// The descriptor of the peer that connected to the proxy, and that of the real place.
  let near: Int32
  let far: Int32
  var streams = [FaultProxyStream(), FaultProxyStream()]
  /// The number of further bytes after which it is cut.
  var left: Int

  func source(_ direction: FaultProxy.Direction) -> Int32 { direction == .toServer ? near : far }
  func sink(_ direction: FaultProxy.Direction) -> Int32 { direction == .toServer ? far : near }

  /// Both ends have finished, and have been notified of the other's end.
  var isOver: Bool { streams.allSatisfy(\.hasToldEnd) }

  func close() {
    Glibc.close(near)
    Glibc.close(far)
  }
}
