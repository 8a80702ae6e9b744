/// The types of intentions that are known, and who fulfils each.
///
/// A runtime validates transactions with it, and so does a tool that reads a file for a daemon whose types it asked for.
/// Lookup costs one hash of the type's name; checking a plan of a few fields costs about a microsecond.
public struct IntentionCatalog: Sendable {
  /// Who fulfils a type of intention.
  public enum Provider: Hashable, Sendable, CustomStringConvertible {
    /// An executor within the runtime's own process.
    case inProcess
    /// The workers of a plugin.
    case plugin(PluginName)

    /// For messages.
    public var description: String {
      switch self {
      case .inProcess: "the runtime itself"
      case .plugin(let name): "plugin \"\(name)\""
      }
    }
  }

  /// A type of intention with its provider.
  public struct Entry: Hashable, Sendable {
    /// What the type is.
    public let description: IntentionDescription
    /// Who fulfils it.
    public let provider: Provider
    /// Whether its executor takes named intentions.
    public let acceptsNames: Bool
    /// Whether its plans may read properties: of its own target, or of others.
    public let mayRead: Bool
    /// Whether it is one of ``BuiltInIntentions``, word for word, whoever fulfils it: then its fields are checked against
    /// each other too. Another type that has merely the same name means something of its own.
    let isBuiltIn: Bool

    init(description: IntentionDescription, provider: Provider, acceptsNames: Bool) {
      self.description = description
      self.provider = provider
      self.acceptsNames = acceptsNames
      mayRead =
        !description.reads.isEmpty
        || description.fields.contains { $0.access == .reads || $0.accepts.contains(.reference) }
      isBuiltIn = BuiltInIntentions.all.contains(description)
    }

    /// Refuses a name where its executor takes none.
    public func check(isNamed: Bool) throws(Refusal) {
      guard acceptsNames || !isNamed else {
        throw Refusal(
          .unnamedOnly, "the executor of \(description.type) takes no named intentions",
          remedy: "Add it without a name.")
      }
    }
  }

  /// Refuses easings that name no timing function. What they may be is known where timing functions are.
  public typealias EasingCheck = @Sendable ([String]) throws(Refusal) -> Void

  /// Where plugins come from, for the remedy of a refusal: who reads it does one thing in an embedding program and
  /// another one at a daemon.
  public enum PluginSource: Hashable, Sendable {
    /// A program that embeds the runtime: it registers executors itself.
    case program
    /// A daemon that has looked into these folders.
    case folders([String])
  }

  /// Where plugins come from.
  public var pluginSource = PluginSource.program

  private var byType: [IntentionType: Entry] = [:]
  private let preferences: [IntentionType: PluginName]
  private let checkEasing: EasingCheck?

  /// A catalog without types, in which `preferences` decides between plugins that claim the same type.
  ///
  /// - Parameters:
  ///   - preferences: which plugin is to fulfil a type that several claim.
  ///   - easing: checks the easings of built-in intentions; without it they may be any text.
  public init(preferences: [IntentionType: PluginName] = [:], easing: EasingCheck? = nil) {
    self.preferences = preferences
    checkEasing = easing
  }

  /// The types in order of name.
  public var entries: [Entry] { byType.values.sorted { $0.description.type < $1.description.type } }

  /// What is known of `type`, or `nil`.
  public subscript(type: IntentionType) -> Entry? { byType[type] }

  /// Adds a type of intention and who fulfils it.
  ///
  /// Of two that claim one type, the preferred one has it, in whatever order they come; the other is set aside.
  /// - Returns: the provider that has the type now.
  /// - Throws: ``Refusal`` if another provider has the type, or the type of executor, and no preference is configured; if
  ///   the executor would serve manipulations and other intentions; if an output writes a property.
  @discardableResult
  public mutating func add(
    _ description: IntentionDescription, from provider: Provider, acceptsNames: Bool = true
  ) throws(Refusal) -> Provider {
    let type = description.type
    if let present = byType[type], present.provider != provider {
      guard let preferred = preferences[type] else {
        throw Self.conflict("intention type", type.text, present, provider)
      }
      guard provider == .plugin(preferred) else { return present.provider }
    }
    let owner = byType.values.first {
      $0.description.executor == description.executor && $0.provider != provider && $0.description.type != type
    }
    if let owner { throw Self.conflict("executor type", description.executor.text, owner, provider) }
    try checkHands(of: description)
    try Self.checkOutput(description)
    byType[type] = Entry(description: description, provider: provider, acceptsNames: acceptsNames)
    return provider
  }

  /// Adds everything that a plugin fulfils, or nothing.
  ///
  /// - Throws: ``Refusal`` as for a single type.
  public mutating func add(_ manifest: PluginManifest) throws(Refusal) {
    var changed = self
    for description in manifest.intentions {
      try changed.add(
        description, from: .plugin(manifest.name),
        acceptsNames: !manifest.unnamedOnly.contains(description.executor))
    }
    self = changed
  }

  /// A property that an executor with manipulations moves is held by hand, and nobody else may have it meanwhile: were one
  /// of its other plans at work, it would be a hand that never lets go.
  private func checkHands(of description: IntentionDescription) throws(Refusal) {
    let kin = byType.values.map(\.description).filter {
      $0.executor == description.executor && $0.type != description.type
        && ($0.kind == .manipulation) != (description.kind == .manipulation)
    }
    guard let other = kin.min(by: { $0.type < $1.type }) else { return }
    throw Refusal(
      .fields,
      "executor type \"\(description.executor)\" would fulfil \"\(description.type)\" (\(description.kind.rawValue)) and "
        + "\"\(other.type)\" (\(other.kind.rawValue)), and manipulations go with manipulations only",
      remedy: "Give one of them an executor type of its own.")
  }

  /// An output that wrote a property would move it through a stop.
  private static func checkOutput(_ description: IntentionDescription) throws(Refusal) {
    guard description.kind == .output else { return }
    let written = description.writes.first?.text ?? description.fields.first { $0.access == .writes }?.name
    guard let written else { return }
    throw Refusal(
      .fields, "\"\(description.type)\" is an output and writes \"\(written)\"; outputs read, and move nothing",
      remedy: "Declare it as standing, or let it only read.")
  }

  /// Takes away all types of a provider.
  public mutating func remove(_ provider: Provider) {
    byType = byType.filter { $0.value.provider != provider }
  }

  private static func conflict(_ noun: String, _ type: String, _ present: Entry, _ second: Provider) -> Refusal {
    Refusal(
      .fields, "\(second) claims \(noun) \"\(type)\", which \(present.provider) has",
      remedy: "Remove one of them, or configure which plugin is preferred for \"\(present.description.type)\".")
  }
}

extension IntentionCatalog {
  /// Refuses a plan that could not be fulfilled: its type is unknown, a field does not fit, fields do not fit each other,
  /// or it may not have a name.
  ///
  /// - Parameters:
  ///   - intention: the intention.
  ///   - isNamed: whether it is added under a name.
  /// - Returns: what is known of its type.
  @discardableResult
  public func check(_ intention: Intention, isNamed: Bool = false) throws(Refusal) -> Entry {
    guard let entry = byType[intention.type] else { throw unknown(intention.type.text) }
    try entry.description.check(intention)
    try Self.checkKnownLanes(of: intention, as: entry.description)
    if entry.isBuiltIn { try BuiltInIntentions.checkTogether(intention, easing: checkEasing) }
    try entry.check(isNamed: isNamed)
    return entry
  }

  /// Properties that everybody knows have lanes that nobody need look up.
  private static func checkKnownLanes(
    of intention: Intention, as description: IntentionDescription
  ) throws(Refusal) {
    for requirement in description.laneRequirements(of: intention) {
      guard let known = KnownProperty.known[requirement.property.text], !known.lanes.contains(requirement.lanes) else {
        continue
      }
      throw requirement.refusal(allowed: known.lanes)
    }
  }

  /// The refusal of a type that is not known, with the nearest that is, or with the plugin that it ships in.
  public func unknown(_ type: String) -> Refusal {
    if let plugin = BuiltInIntentions.shipped.first(where: { $0.value.contains { $0.text == type } })?.key {
      return Refusal(
        .unknownType, "the intention type \"\(type)\" belongs to plugin \"\(plugin)\", which is not loaded",
        remedy: remedy(for: plugin, type))
    }
    return Refusal(
      .unknownType, "there is no intention type \"\(type.prefix(64))\"",
      remedy: NearestName.remedy(
        for: type, among: byType.keys.map(\.text).sorted(), plural: "types"))
  }

  private func remedy(for plugin: PluginName, _ type: String) -> String {
    switch pluginSource {
    case .program: "Register an executor for \(type)."
    // A gateway shows no folders.
    case .folders([]): "Start motiond with --plugin-path DIR, the folder that holds \"\(plugin)\"."
    case .folders(let paths):
      "motiond looked in \(paths.joined(separator: ", ")). Install it there, or start motiond with --plugin-path DIR."
    }
  }
}
