import Glibc
import LinuxSystem
import MotionTestKit
import ZeroMQ

/// A place where the proxy listens.
struct FaultProxyListener: Sendable {
  let descriptor: Int32
  let far: SocketPlace
}

/// The proxy's thread: waits, reads, writes, and injects faults.
struct FaultProxyLoop {
  private let listeners: [FaultProxyListener]
  private let mail: FaultProxyMail
  private var random: SeededRandom
  private var weather = FaultProxy.Weather()
  private var pairs: [FaultProxyPair] = []
  private var isOver = false

  init(_ listeners: [FaultProxyListener], _ mail: FaultProxyMail, random: SeededRandom) {
    (self.listeners, self.mail, self.random) = (listeners, mail, random)
  }

  mutating func run() {
    while !isOver {
      wait()
      for command in mail.take() { obey(command) }
      accept()
      pairs = pairs.compactMap { pair in
        var pair = pair
        guard pass(&pair) else {
          pair.close()
          return nil
        }
        return pair
      }
    }
    for pair in pairs { pair.close() }
    for listener in listeners { close(listener.descriptor) }
    mail.end()
  }

  /// Waits until bytes arrive or a piece is due.
  private func wait() {
    var entries = [pollfd(fd: mail.descriptor, events: Int16(POLLIN), revents: 0)]
    entries += listeners.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    var due: Duration?
    let now = BootClock.now
    for pair in pairs {
      for direction in FaultProxy.Direction.allCases where !weather.silent.contains(direction) {
        let stream = pair.streams[direction.rawValue]
        if !stream.hasEnded, stream.waiting < FaultProxyStream.room {
          entries.append(pollfd(fd: pair.source(direction), events: Int16(POLLIN), revents: 0))
        }
        guard let piece = stream.pieces.first else { continue }
        if piece.due <= now {
          entries.append(pollfd(fd: pair.sink(direction), events: Int16(POLLOUT), revents: 0))
        } else {
          due = min(due ?? piece.due, piece.due)
        }
      }
    }
    let timeout = due.map { Int32(max(0, ($0 - now).wholeNanoseconds / 1_000_000 + 1)) } ?? -1
    poll(&entries, nfds_t(entries.count), timeout)
  }

  private mutating func obey(_ command: FaultProxyMail.Command) {
    switch command {
    case .weather(let weather):
      self.weather = weather
      if weather.isDown { cutAll() }
      for index in pairs.indices { pairs[index].left = budget() }
    case .cut: cutAll()
    case .halfClose(let direction):
      for index in pairs.indices { pairs[index].streams[direction.rawValue].hasEnded = true }
    case .garbage(let count, let direction):
      for index in pairs.indices {
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        pairs[index].streams[direction.rawValue].add(bytes, due: BootClock.now)
      }
      mail.count { [pairs] in $0.garbage += pairs.count }
    case .say(let bytes, let direction):
      for index in pairs.indices { pairs[index].streams[direction.rawValue].add(bytes, due: BootClock.now) }
    case .stop: isOver = true
    }
  }

  private mutating func cutAll() {
    for pair in pairs { pair.close() }
    mail.count { [pairs] in $0.cuts += pairs.count }
    pairs = []
  }

  private mutating func budget() -> Int { weather.cutAfter.map { Int.random(in: $0, using: &random) } ?? .max }

  private mutating func accept() {
    for listener in listeners {
      while true {
        let near = Glibc.accept(listener.descriptor, nil, nil)
        guard near >= 0 else { break }
        _ = fcntl(near, F_SETFD, FD_CLOEXEC)
        _ = fcntl(near, F_SETFL, fcntl(near, F_GETFL) | O_NONBLOCK)
        guard !weather.isDown, let far = try? listener.far.connect() else {
          close(near)
          mail.count { $0.refused += 1 }
          continue
        }
        let number = mail.counts.connections
        mail.count { $0.connections += 1 }
        pairs.append(FaultProxyPair(number: number, near: near, far: far, left: budget()))
      }
    }
  }

  /// Passes on the bytes that may pass.
  ///
  /// - Returns: whether the connection continues.
  private mutating func pass(_ pair: inout FaultProxyPair) -> Bool {
    let now = BootClock.now
    for direction in FaultProxy.Direction.allCases where !weather.silent.contains(direction) {
      let index = direction.rawValue
      read(direction, of: &pair, now)
      guard let written = pair.streams[index].write(to: pair.sink(direction), now: now, atMost: pair.left) else {
        return false
      }
      mail.count { $0.bytes += written }
      if pair.left != .max { pair.left -= written }
      if pair.left == 0 {
        mail.count { $0.cuts += 1 }
        return false
      }
      let stream = pair.streams[index]
      if stream.hasEnded, stream.pieces.isEmpty, !stream.hasToldEnd {
        shutdown(pair.sink(direction), Int32(SHUT_WR))
        pair.streams[index].hasToldEnd = true
      }
    }
    return !pair.isOver
  }

  private mutating func read(_ direction: FaultProxy.Direction, of pair: inout FaultProxyPair, _ now: Duration) {
    let descriptor = pair.source(direction)
    var stream = pair.streams[direction.rawValue]
    defer { pair.streams[direction.rawValue] = stream }
    while !stream.hasEnded, stream.waiting < FaultProxyStream.room {
      var bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        let status = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        count = max(0, status)
        stream.hasEnded = status == 0 || status < 0 && errno != EAGAIN
      }
      guard !bytes.isEmpty else { return }
      if weather.listens { mail.hear(.init(connection: pair.number, direction: direction, bytes: bytes)) }
      if weather.altered.contains(direction) { bytes[bytes.count - 1] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
      stream.add(bytes, due: now + wait(of: weather.delay))
    }
  }

  private mutating func wait(of range: ClosedRange<Duration>) -> Duration {
    guard range.upperBound > .zero else { return .zero }
    let span = (range.upperBound - range.lowerBound).wholeNanoseconds
    return range.lowerBound + .nanoseconds(Int64.random(in: 0...Int64(span), using: &random))
  }
}
