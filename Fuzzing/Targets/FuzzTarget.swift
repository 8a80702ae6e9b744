/// Something of ours that takes bytes from outside, with what has to hold whatever they are.
///
/// The fuzzers call it with bytes that they make up, the tests with those of `Fuzzing/Corpus`. That it returns, without a
/// trap and soon, is part of what is tried.
public struct FuzzTarget {
  /// As it is called on the command line; also the name of its corpus.
  public let name: String
  /// Tries these bytes.
  ///
  /// - Throws: ``FuzzFinding`` when something does not hold.
  public let run: ([UInt8]) throws -> Void

  init(_ name: String, _ run: @escaping ([UInt8]) throws -> Void) { (self.name, self.run) = (name, run) }

  /// All of them. Each call makes new ones, which share nothing.
  public static func all() throws -> [FuzzTarget] {
    let registry = try World.registry()
    return [
      FuzzTarget("envelopes", Envelopes.run),
      FuzzTarget("requests") { try Requests.run($0, registry) },
      FuzzTarget("workers", Workers.run),
      FuzzTarget("coordinators", Coordinators.run),
      FuzzTarget("subscriptions", Subscriptions.run),
      FuzzTarget("transactions") { try Transactions.run($0, registry) },
      FuzzTarget("manifests", Manifests.run),
      FuzzTarget("containers", Containers.run),
      FuzzTarget("recordings", Recordings.run),
      FuzzTarget("rings", Rings.run),
      FuzzTarget("pointers") { try Pointers.run($0, registry) },
      FuzzTarget("evdev") { try Evdev.run($0, registry) },
      FuzzTarget("journal") { try JournalRows.run($0, registry) },
      FuzzTarget("checkpoints", Checkpoints.run),
      FuzzTarget("heads", Heads.run),
      FuzzTarget("keys", Keys.run),
      FuzzTarget("configurations", Configurations.run),
      FuzzTarget("http", HTTP.run),
      FuzzTarget("texts", Texts.run),
      FuzzTarget("lines", Lines.run),
      FuzzTarget("sequences", Sequences.run),
      FuzzTarget("viewers", Viewers.run),
      FuzzTarget("patches", Patches.run),
    ]
  }
}

/// What ought to hold and does not.
public struct FuzzFinding: Error, CustomStringConvertible {
  /// In a sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Finds that something does not hold.
func require(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
  guard holds else { throw FuzzFinding(otherwise()) }
}
