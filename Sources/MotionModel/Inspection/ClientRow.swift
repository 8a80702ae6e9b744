/// A client of a daemon, as queries show it.
public struct ClientRow: Hashable, Sendable {
  /// What ends with a client.
  public struct Held: Hashable, Sendable {
    /// The number of its transactions whose plans are removed when it is gone.
    public var transactions: Int
    /// The number of its pointers that are down.
    public var pointers: Int
    /// The number of input values that are withdrawn when it is gone.
    public var inputs: Int

    /// Creates the numbers of what ends with a client.
    public init(transactions: Int, pointers: Int, inputs: Int) {
      (self.transactions, self.pointers, self.inputs) = (transactions, pointers, inputs)
    }

    /// Nothing ends with the client.
    public static let nothing = Held(transactions: 0, pointers: 0, inputs: 0)
  }

  /// The name that it gives itself, and what identifies it: user and process, or a key. Clients of a gateway have those of
  /// the gateway.
  public var client: Committer
  /// When this start of the daemon had its first request, in nanoseconds since 1970.
  public var since: Int64
  /// How many seconds ago its last request was.
  public var silent: Double
  /// What ends with it.
  public var held: Held

  /// Creates a client.
  public init(_ client: Committer, since: Int64, silent: Double, _ held: Held) {
    (self.client, self.since, self.silent, self.held) = (client, since, silent, held)
  }
}
