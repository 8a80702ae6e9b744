import Glibc
import ZeroMQ

/// What waits to be passed on in one direction of a connection.
struct FaultProxyStream {
  /// What has come and is not passed on yet, each piece with the time when it may be.
  private(set) var pieces: [(due: Duration, bytes: [UInt8])] = []
  private(set) var waiting = 0
  /// Nothing more will come.
  var hasEnded = false
  /// That was passed on.
  var hasToldEnd = false

  /// As much as waits at most: what comes then stays with the sender, as in a network.
  static let room = 1 << 18

  mutating func add(_ bytes: [UInt8], due: Duration) {
    pieces.append((max(due, pieces.last?.due ?? due), bytes))
    waiting += bytes.count
  }

  /// Writes what is due.
  ///
  /// - Returns: how many bytes were taken, or `nil` when nobody takes any more.
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

/// One connection through the proxy: the descriptors of both its ends, and what is on its way between them.
struct FaultProxyPair {
  /// How many were made before it.
  let number: Int
  /// Of whoever connected to the proxy, and of the real place.
  let near: Int32
  let far: Int32
  var streams = [FaultProxyStream(), FaultProxyStream()]
  /// Behind how many more bytes it is cut.
  var left: Int

  func source(_ direction: FaultProxy.Direction) -> Int32 { direction == .toServer ? near : far }
  func sink(_ direction: FaultProxy.Direction) -> Int32 { direction == .toServer ? far : near }

  /// Both ends have said that they are done, and have been told so.
  var isOver: Bool { streams.allSatisfy(\.hasToldEnd) }

  func close() {
    Glibc.close(near)
    Glibc.close(far)
  }
}
