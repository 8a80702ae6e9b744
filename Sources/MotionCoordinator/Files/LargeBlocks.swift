import CLinux

/// What becomes of the memory of large messages and of arrays that have grown.
public enum LargeBlocks {
  /// From this size on a block is a map of its own: what is rarer than a frame and takes longer than mapping it, such as a
  /// message of 10,000 operations, or an array of 100,000 properties.
  static let bytes: Int32 = 1 << 20

  /// Returns them to the system as soon as they are freed, in this process, from now on.
  ///
  /// Without it the allocator of glibc keeps blocks of up to 32 MiB once it has seen some freed, and what lasts comes to
  /// lie between their holes.
  public static func returnAtOnce() { _ = motion_map_blocks(bytes) }
}
