import CZeroMQ
import Synchronization

/// Memory for messages that are sent repeatedly. A block that a peer has received is reused for later messages.
///
/// A message of about 64 KiB that is allocated separately takes pages from the system and returns them. Publishing a
/// million lanes, 14 MB a frame, took 15.4 ms of processor time without a pool, and takes 10.0 to 11.7 ms with one. Any
/// thread may release messages; one thread takes them.
public final class MessagePool: Sendable {
  /// The largest size of a message in bytes.
  public let messageBytes: Int
  /// The largest number of free blocks.
  private let kept: Int
  private let blocks = Mutex<Blocks>(Blocks())

  /// The memory of a message.
  ///
  /// Unchecked, because it has one owner: the pool, or the message that took it and returns it.
  struct Block: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
  }

  /// The free blocks.
  private struct Blocks: ~Copyable {
    var free: [Block] = []
    deinit { for block in free { block.start.deallocate() } }
  }

  /// An empty pool.
  ///
  /// - Parameters:
  ///   - messageBytes: the largest size of a message in bytes.
  ///   - kept: the number of free blocks that are kept for later messages.
  public init(messageBytes: Int, kept: Int) {
    (self.messageBytes, self.kept) = (messageBytes, kept)
  }

  /// The number of free blocks.
  public var count: Int { blocks.withLock { $0.free.count } }

  /// Frees all blocks that no message uses.
  public func empty() {
    blocks.withLock { blocks in
      for block in blocks.free { block.start.deallocate() }
      blocks.free = []
    }
  }

  /// Takes a free block, or allocates one.
  func take() -> Block {
    blocks.withLock { $0.free.popLast() } ?? Block(start: .allocate(byteCount: messageBytes, alignment: 16))
  }

  /// Takes a block back, or frees it.
  func put(_ block: Block) {
    blocks.withLock { blocks in
      if blocks.free.count < kept { blocks.free.append(block) } else { block.start.deallocate() }
    }
  }
}

extension Message {
  /// A message of `count` bytes, at most ``MessagePool/messageBytes``, in memory of a pool. `body` fills the bytes,
  /// which are uninitialised before. A short message does not use a block, and has memory of its own.
  public convenience init(count: Int, from pool: MessagePool, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
    precondition(count <= pool.messageBytes, "a message of \(count) bytes from a pool of \(pool.messageBytes)")
    guard count >= pool.messageBytes / 4 else {
      self.init(count: count, body)
      return
    }
    let block = pool.take()
    body(UnsafeMutableRawBufferPointer(start: block.start, count: count))
    // The message retains the pool for as long as it has the block.
    self.init(
      block.start, count: count,
      { start, pool in
        guard let start, let pool else { return }
        Unmanaged<MessagePool>.fromOpaque(pool).takeRetainedValue().put(MessagePool.Block(start: start))
      }, Unmanaged.passRetained(pool).toOpaque())
  }
}
