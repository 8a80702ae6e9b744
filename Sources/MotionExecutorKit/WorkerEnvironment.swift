public import MotionModel
public import ZeroMQ

/// The settings that motiond gives a worker at its start, in environment variables.
public struct WorkerEnvironment: Hashable, Sendable {
  /// The worker's identity: `MOTION_PLUGIN` and `MOTION_INSTANCE`.
  public var address: WorkerAddress
  /// The number of this start of the worker: `MOTION_INCARNATION`.
  public var incarnation: UInt64
  /// The number of this start of motiond: `MOTION_EPOCH`.
  public var epoch: UInt64
  /// The endpoint for requests: `MOTION_LINK`.
  public var link: Endpoint
  /// The endpoint that commands come from: `MOTION_COMMANDS`.
  public var commands: Endpoint
  /// The endpoint that ticks come from: `MOTION_TICKS`.
  public var ticks: Endpoint
  /// The endpoint for events: `MOTION_EVENTS`.
  public var events: Endpoint
  /// The action when motiond is gone: `MOTION_ON_LOST`, by default hold.
  public var onLost: PluginManifest.OnLost

  /// Makes the environment of a worker from its parts.
  public init(
    address: WorkerAddress, incarnation: UInt64, epoch: UInt64, link: Endpoint, commands: Endpoint, ticks: Endpoint,
    events: Endpoint, onLost: PluginManifest.OnLost = .hold
  ) {
    self.address = address
    self.incarnation = incarnation
    self.epoch = epoch
    self.link = link
    self.commands = commands
    self.ticks = ticks
    self.events = events
    self.onLost = onLost
  }

  /// Reads the variables. `variable` returns the text of a variable, or `nil`.
  ///
  /// - Throws: ``WorkerEnvironmentError`` with the variable that is missing or wrong, and the remedy.
  public init(reading variable: (String) -> String?) throws(WorkerEnvironmentError) {
    func value<T>(_ name: String, _ parse: (String) throws -> T?) throws(WorkerEnvironmentError) -> T {
      guard let text = variable(name), !text.isEmpty else { throw WorkerEnvironmentError(name, nil) }
      guard let value = try? parse(text) else { throw WorkerEnvironmentError(name, text) }
      return value
    }
    let plugin = try value("MOTION_PLUGIN") { try PluginName($0) }
    let instance = try value("MOTION_INSTANCE") { text in
      Int(text).flatMap { (0..<Limits.instancesPerPlugin).contains($0) ? $0 : nil }
    }
    self.init(
      address: WorkerAddress(plugin, instance), incarnation: try value("MOTION_INCARNATION") { UInt64($0) },
      epoch: try value("MOTION_EPOCH") { UInt64($0) }, link: try value("MOTION_LINK") { try Endpoint($0) },
      commands: try value("MOTION_COMMANDS") { try Endpoint($0) },
      ticks: try value("MOTION_TICKS") { try Endpoint($0) },
      events: try value("MOTION_EVENTS") { try Endpoint($0) })
    if variable("MOTION_ON_LOST") != nil {
      onLost = try value("MOTION_ON_LOST") { PluginManifest.OnLost(rawValue: $0) }
    }
  }
}

/// The program was not started as a worker.
public struct WorkerEnvironmentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The variable that is missing or wrong.
  public let variable: String
  /// The variable's value; `nil` if it is not set.
  public let text: String?

  init(_ variable: String, _ text: String?) {
    self.variable = variable
    self.text = text
  }

  /// The problem and its remedy.
  public var description: String {
    let problem = text.map { "\(variable) is \"\($0.prefix(128))\", which is not valid" } ?? "\(variable) is not set"
    return "\(problem): this program is a plugin of motiond and is started by it; put its folder on the plugin path "
      + "(motiond --plugin-path DIR) and add an intention of its types"
  }
}
