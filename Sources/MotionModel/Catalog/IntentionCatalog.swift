/// The known types of intentions, each with its provider.
///
/// A runtime validates transactions with it. So does a tool that reads a file for a daemon and has queried the daemon's
/// types. A lookup costs one hash of the type's name; checking a plan of a few fields costs about a microsecond.
public struct IntentionCatalog: Sendable {
  /// The provider that fulfils a type of intention.
  public enum Provider: Hashable, Sendable, CustomStringConvertible {
    /// An executor within the runtime's own process.
    case inProcess
    /// The workers of a plugin.
    case plugin(PluginName)

    /// The provider's name, for messages.
    public var description: String {
      switch self {
      case .inProcess: "the runtime itself"
      case .plugin(let name): "plugin \"\(name)\""
      }
    }
  }

  /// A type of intention with its provider.
  public struct Entry: Hashable, Sendable {
    /// The description of the type.
    public let description: IntentionDescription
    /// The provider that fulfils the type.
    public let provider: Provider
    /// Whether the type's executor accepts named intentions.
    public let acceptsNames: Bool
    /// Whether plans of the type may read properties, of their own target or of others.
    public let mayRead: Bool
    /// Whether the description equals one of ``BuiltInIntentions``, whichever provider fulfils it. Its fields are then
    /// also checked against each other. A different type that only has the same name is not checked that way.
    let isBuiltIn: Bool

    init(description: IntentionDescription, provider: Provider, acceptsNames: Bool) {
      self.description = description
      self.provider = provider
      self.acceptsNames = acceptsNames
      mayRead =
        !description.reads.isEmpty || description.type == SendDMXIntention.description.type
        || description.fields.contains { $0.access == .reads || $0.accepts.contains(.reference) }
      isBuiltIn = BuiltInIntentions.all.contains(description)
    }

    /// Rejects a name if the executor accepts none.
    public func check(isNamed: Bool) throws(Refusal) {
      guard acceptsNames || !isNamed else {
        throw Refusal(
          .unnamedOnly, "the executor of \(description.type) takes no named intentions",
          remedy: "Add it without a name.")
      }
    }
  }

  /// Rejects easings that name no timing function. The check is passed in, because timing functions are defined in
  /// another module.
  public typealias EasingCheck = @Sendable ([String]) throws(Refusal) -> Void

  /// The source of plugins, for the remedy in a refusal: the remedy differs between an embedding program and a daemon.
  public enum PluginSource: Hashable, Sendable {
    /// A program that embeds the runtime: it registers executors itself.
    case program
    /// A daemon that searched these folders.
    case folders([String])
  }

  /// The source of plugins.
  public var pluginSource = PluginSource.program

  private var byType: [IntentionType: Entry] = [:]
  private let preferences: [IntentionType: PluginName]
  private let checkEasing: EasingCheck?

  /// Creates a catalog without types, in which `preferences` decides between plugins that claim the same type.
  ///
  /// - Parameters:
  ///   - preferences: the plugin that fulfils a type claimed by several plugins.
  ///   - easing: checks the easings of built-in intentions; without it they may be any text.
  public init(preferences: [IntentionType: PluginName] = [:], easing: EasingCheck? = nil) {
    self.preferences = preferences
    checkEasing = easing
  }

  /// The types in order of name.
  public var entries: [Entry] { byType.values.sorted { $0.description.type < $1.description.type } }

  /// The entry of `type`, or `nil` if the type is unknown.
  public subscript(type: IntentionType) -> Entry? { byType[type] }

  /// Adds a type of intention with its provider.
  ///
  /// If two providers claim one type, the preferred one gets it, in whatever order they are added; the other claim is
  /// ignored.
  /// - Returns: the provider that has the type after the call.
  /// - Throws: ``Refusal`` if another provider has the type, or the type of executor, and no preference is configured;
  ///   if the executor would serve manipulations and other intentions; if an output writes a property; if a field has
  ///   a name of what every plan has (`priority`, `after`).
  @discardableResult
  public mutating func add(
    _ description: IntentionDescription, from provider: Provider, acceptsNames: Bool = true
  ) throws(Refusal) -> Provider {
    let type = description.type
    if let common = Intention.commonFields.first(where: { description.field($0) != nil }) {
      throw Refusal(
        .fields, "\"\(type)\" has a field \"\(common)\", which every plan has",
        remedy: "Give the field another name.")
    }
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

  /// Adds all types that a plugin fulfils, or none of them.
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

  /// Rejects an executor type that would serve both manipulations and other kinds. A property that an executor with
  /// manipulations drives counts as held by hand, and no other executor may drive it meanwhile. A plan of another kind
  /// in that executor would hold the property without end.
  private func checkHands(of description: IntentionDescription) throws(Refusal) {
    let kin = byType.values.map(\.description).filter {
      $0.executor == description.executor && $0.type != description.type
        && ($0.kind == .manipulation) != (description.kind == .manipulation)
    }
    guard let other = kin.min(by: { $0.type < $1.type }) else { return }
    throw Refusal(
      .fields,
      "executor type \"\(description.executor)\" would fulfil \"\(description.type)\" (\(description.kind.rawValue)) and "
        + "\"\(other.type)\" (\(other.kind.rawValue)), and manipulations share an executor with manipulations only",
      remedy: "Give one of them an executor type of its own.")
  }

  /// Rejects an output that writes a property: outputs survive a stop, so it would move the property through the stop.
  private static func checkOutput(_ description: IntentionDescription) throws(Refusal) {
    guard description.kind == .output else { return }
    let written = description.writes.first?.text ?? description.fields.first { $0.access == .writes }?.name
    guard let written else { return }
    throw Refusal(
      .fields, "\"\(description.type)\" is an output and writes \"\(written)\"; outputs read, and move nothing",
      remedy: "Declare it as standing, or let it only read.")
  }

  /// Removes all types of a provider.
  public mutating func remove(_ provider: Provider) {
    byType = byType.filter { $0.value.provider != provider }
  }

  private static func conflict(_ noun: String, _ type: String, _ present: Entry, _ second: Provider) -> Refusal {
    Refusal(
      .fields, "\(second) declares \(noun) \"\(type)\", which \(present.provider) already declares",
      remedy: "Remove one of them, or configure which plugin is preferred for \"\(present.description.type)\".")
  }
}

extension IntentionCatalog {
  /// Rejects a plan that cannot be fulfilled: its type is unknown, a field does not fit, fields do not fit each other,
  /// or it may not have a name.
  ///
  /// - Parameters:
  ///   - intention: the intention.
  ///   - isNamed: whether it is added under a name.
  /// - Returns: the entry of its type.
  @discardableResult
  public func check(_ intention: Intention, isNamed: Bool = false) throws(Refusal) -> Entry {
    guard let entry = byType[intention.type] else { throw unknown(intention.type.text) }
    try entry.description.check(intention)
    try Self.checkKnownLanes(of: intention, as: entry.description)
    if entry.isBuiltIn { try BuiltInIntentions.checkTogether(intention, easing: checkEasing) }
    try entry.check(isNamed: isNamed)
    return entry
  }

  /// Checks the lanes of well-known properties, which need no lookup in a runtime.
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

  /// Returns the refusal of an unknown type, with the nearest known type, or with the plugin that ships it.
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
