import CLinux

/// The allocation of large messages and of arrays that have grown.
public enum LargeBlocks {
  /// The size from which a block is a memory map of its own. Such blocks are rarer than a frame, and their use takes
  /// longer than mapping them: a message of 10,000 operations, or an array of 100,000 properties.
  static let bytes: Int32 = 1 << 20

  /// Returns large blocks to the system as soon as they are freed, in this process, from now on.
  ///
  /// Without it the allocator of glibc keeps blocks of up to 32 MiB once it has seen some freed, and long-lived memory
  /// comes to lie between their holes.
  public static func returnAtOnce() { _ = motion_map_blocks(bytes) }
}
