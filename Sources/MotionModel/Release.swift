/// The release of motiond: the daemon, its tools and its libraries are released together.
public enum Release {
  /// The version, by semantic versioning.
  public static let version = "0.1.0"
}
