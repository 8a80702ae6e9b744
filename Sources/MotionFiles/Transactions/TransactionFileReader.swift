import MotionModel

/// Reads a transaction out of a JSON file, guided by the descriptions of a catalog.
struct TransactionFileReader {
  var file: FileReader
  private let catalog: IntentionCatalog
  private let isRig: Bool
  /// The numbers of lanes that the operations so far give to properties.
  var lanes: [TargetName: [PropertyName: Int]] = [:]

  init(_ file: FileReader, catalog: IntentionCatalog, isRig: Bool = false) {
    self.file = file
    (self.catalog, self.isRig) = (catalog, isRig)
  }

  var errors: [FileError] { file.errors }

  /// Returns the file's transaction with its options; errors are in ``errors``.
  mutating func read() -> TransactionFile? {
    let known = ["transaction", "id", "at", "whileConnected", "comment"]
    guard let members = file.members(of: file.root, known: known, required: ["transaction"]) else { return nil }
    var result = TransactionFile(Transaction())
    result.id = readID(members["id"])
    result.at = readTime(members["at"])
    result.whileConnected = file.flag(members["whileConnected"], field: "whileConnected") ?? false
    result.comment = readComment(members["comment"])
    result.transaction = readOperations(members["transaction"])
    return result
  }

  /// Returns the operations of a list.
  mutating func readOperations(_ value: JSONValue?) -> Transaction {
    let most = Limits.operationsPerTransaction
    let operations = file.elements(value, field: "transaction", most: most) ?? []
    var log: [Transaction.Operation] = []
    var selectors: [Int: TargetSelector] = [:]
    var spreads: [Int: Spread] = [:]
    var recalls: [Int: SceneRecall] = [:]
    log.reserveCapacity(operations.count)
    for (index, operation) in operations.enumerated() where !file.isFull {
      file.operation = index
      if !isRig, operation.member("recall") != nil {
        guard let recall = readRecall(operation) else { continue }
        recalls[log.count] = recall
        log.append(.scene(recall.scene, Scene()))
        continue
      }
      guard let (placed, selector, spread) = readOperation(operation) else { continue }
      if isRig, let selector {
        log += expanded(placed, selector, at: operation)
      } else {
        selectors[log.count] = selector
        if selector != nil { spreads[log.count] = spread }
        log.append(placed)
      }
    }
    return Transaction(log: log, selectors: selectors, spreads: spreads, recalls: recalls)
  }

  private mutating func readID(_ value: JSONValue?) -> TransactionID? {
    guard let value, let text = file.text(value, field: "id") else { return nil }
    if let id = TransactionID(text) {
      if !id.isZero { return id }
      file.report(
        "an id of zeros is not valid", "Use 32 random hexadecimal digits, or omit it for a new one.", field: "id",
        at: value.offset)
      return nil
    }
    file.report("this is no id", "Use 32 hexadecimal digits, as in a UUID.", field: "id", at: value.offset)
    return nil
  }

  private mutating func readTime(_ value: JSONValue?) -> CommitTime? {
    guard let value else { return nil }
    switch value.content {
    case .number(let seconds) where seconds >= 0: return .absolute(seconds)
    case .string(let text):
      if let time = CommitTime(text) { return time }
    default: break
    }
    file.report(
      "\(value.inWords) is no time",
      "Use seconds of simulated time of at least 0, a duration such as \"90s\", or \"+5s\" from the moment of the commit.",
      field: "at", at: value.offset)
    return nil
  }

  private mutating func readComment(_ value: JSONValue?) -> String {
    guard let value, let text = file.text(value, field: "comment") else { return "" }
    guard text.utf8.count <= Limits.commentBytes else {
      file.report(
        "the comment has \(text.utf8.count) bytes", "Use at most \(Limits.commentBytes).", field: "comment",
        at: value.offset)
      return ""
    }
    return text
  }

  /// The most names of members that are read as a selector: it has room for them however long they are.
  private static let mostSelectedMembers = Limits.selectorBytes / (Limits.targetNameBytes + 1)

  /// An operation, the selector of its targets unless it names one, and how it differs from target to target.
  typealias Selecting = (operation: Transaction.Operation, selector: TargetSelector?, spread: Spread?)

  private mutating func readOperation(_ value: JSONValue) -> Selecting? {
    let verbs = ["add", "remove", "forget", "limit", "group", "scene", "recall"]
    guard case .object(let given) = value.content else {
      file.report(
        "\(value.inWords) is no operation",
        "Use an object with \"add\", \"remove\", \"forget\", \"limit\", \"group\", \"scene\" or \"recall\".",
        at: value.offset)
      return nil
    }
    let stated = verbs.filter { verb in given.contains { $0.key == verb } }
    if isRig, let verb = stated.first(where: { $0 != "limit" }) {
      file.report(
        "\"\(verb)\" is no limit", "A rig consists of limits: commit other operations by motionctl.", field: verb,
        at: given.first { $0.key == verb }?.keyOffset ?? value.offset)
      return nil
    }
    switch stated {
    case ["add"]: return readAdd(value)
    case ["remove"]: return readRemove(value)
    case ["forget"]: return readForget(value)
    case ["limit"]: return readLimit(value)
    case ["group"]: return readGroup(value)
    case ["scene"]: return readScene(value)
    case []:
      let key = given.first
      file.report(
        "this is no operation",
        key.map { NearestName.remedy(for: $0.key, among: verbs, plural: "operations") }
          ?? "Add \"add\", \"remove\", \"forget\", \"limit\", \"group\", \"scene\" or \"recall\".",
        at: key?.keyOffset ?? value.offset)
    case let several:
      file.report("\(several.quotedList) in one operation", "Make one operation of each.", at: value.offset)
    }
    return nil
  }

  /// The targets of an operation: a name, a selector, or a list of these.
  mutating func readTargets(_ value: JSONValue?, field: String) -> TargetSelector? {
    guard let value else { return nil }
    var texts: [String] = []
    if case .array(let elements) = value.content {
      for element in elements {
        guard let text = file.text(element, field: field) else { return nil }
        texts.append(text)
      }
    } else {
      guard let text = file.text(value, field: field) else { return nil }
      if let name = try? TargetName(text) { return TargetSelector(name) }
      texts = [text]
    }
    do {
      return try TargetSelector(texts)
    } catch {
      file.report(
        "\"\(error.text)\" does not select targets", Self.sentence(error.rule), field: field, at: value.offset)
      return nil
    }
  }

  /// A rule as a sentence.
  static func sentence(_ rule: String) -> String { rule.prefix(1).uppercased() + rule.dropFirst() + "." }

  /// The limits in a rig, which are read when there are no targets and groups yet.
  private mutating func expanded(
    _ operation: Transaction.Operation, _ selector: TargetSelector, at value: JSONValue
  ) -> [Transaction.Operation] {
    guard case .limit(let property, _, let setting) = operation else { return [] }
    guard selector.isFixed else {
      file.report(
        "\"\(selector)\" depends on the targets that exist", "A rig names its targets: lamp1, or lamp{1..12}.",
        field: "on",
        at: value.offset)
      return []
    }
    return (selector.names(among: [], groups: []) ?? []).map { .limit(property, of: $0, setting) }
  }

  private mutating func readRemove(_ value: JSONValue) -> Selecting? {
    guard let members = file.members(of: value, known: ["remove", "from"], required: ["from"]) else { return nil }
    if let plan = members["remove"], case .object = plan.content {
      guard let target: TargetName = file.name(members["from"], field: "from") else { return nil }
      return readIdentity(plan).map { (.removePlan($0, from: target), nil, nil) }
    }
    guard let targets = readTargets(members["from"], field: "from"),
      let name: IntentionName = file.name(members["remove"], field: "remove")
    else { return nil }
    return (.remove(named: name, from: targets.placed), targets.remaining, nil)
  }

  private mutating func readIdentity(_ value: JSONValue) -> IntentionIdentity? {
    guard let members = file.members(of: value, known: ["intention"], required: ["intention"]),
      let identity = members["intention"], let text = file.text(identity, field: "intention")
    else { return nil }
    if let identity = IntentionIdentity(text) { return identity }
    file.report(
      "\"\(text)\" is no identity of an intention",
      "Use two numbers or more, such as \"49.0\", as a list of the intentions shows them.",
      field: "intention", at: identity.offset)
    return nil
  }

  private mutating func readForget(_ value: JSONValue) -> Selecting? {
    guard let members = file.members(of: value, known: ["forget"]),
      let targets = readTargets(members["forget"], field: "forget")
    else { return nil }
    // What a selector stands for is not known here.
    if let target = targets.name { lanes[target] = nil } else { lanes = [:] }
    return (.forget(targets.placed), targets.remaining, nil)
  }

  private mutating func readGroup(_ value: JSONValue) -> Selecting? {
    guard let members = file.members(of: value, known: ["group", "targets"], required: ["targets"]),
      let name: GroupName = file.name(members["group"], field: "group"), let targets = members["targets"]
    else { return nil }
    if case .array(let elements) = targets.content, elements.isEmpty { return (.group(name, []), nil, nil) }
    if case .array(let elements) = targets.content {
      let names = elements.compactMap { element in
        if case .string(let text) = element.content { try? TargetName(text) } else { nil }
      }
      // As many as a journal may have, where a selector has no room for them.
      if names.count == elements.count, names.count > Self.mostSelectedMembers {
        return (.group(name, names), nil, nil)
      }
    }
    return readTargets(targets, field: "targets").map { (.group(name, []), $0, nil) }
  }

  private mutating func readLimit(_ value: JSONValue) -> Selecting? {
    guard let members = file.members(of: value, known: ["limit", "property", "on"], required: ["property", "on"]),
      let limit = members["limit"], let setting = file.limits(limit)
    else { return nil }
    let property: PropertyName? = file.name(members["property"], field: "property")
    guard let targets = readTargets(members["on"], field: "on"), let property else { return nil }
    return (.limit(property, of: targets.placed, setting), targets.remaining, nil)
  }

  private mutating func readAdd(_ value: JSONValue) -> Selecting? {
    let known = ["add", "named", "to", "stagger", "by"]
    guard let members = file.members(of: value, known: known, required: ["to"]),
      let add = members["add"]
    else { return nil }
    let name: IntentionName? = file.name(members["named"], field: "named")
    let targets = readTargets(members["to"], field: "to")
    let errorsBefore = errors.count
    let stagger = readDelay(members["stagger"], field: "stagger") ?? 0
    let order = readOrder(members["by"])
    let read = readIntention(add, isNamed: members.has("named"))
    guard let targets, let (intention, last) = read, errors.count == errorsBefore else { return nil }
    if let target = targets.name, !agreesOnLanes(intention, on: target, in: add) { return nil }
    let spread = Spread(to: last, stagger: stagger, by: order)
    guard !spread.isEmpty || order == nil else {
      file.report(
        "there is nothing to order by \"by\"", "Add \"stagger\", or a value with \"from\" and \"to\".", field: "by",
        at: members["by"]?.offset ?? value.offset)
      return nil
    }
    return (.add(intention, named: name, to: targets.placed), targets.remaining, spread.isEmpty ? nil : spread)
  }

  /// Returns whether the values have as many lanes as earlier values for the same properties: the first value
  /// determines the number.
  private mutating func agreesOnLanes(_ intention: Intention, on target: TargetName, in add: JSONValue) -> Bool {
    guard case .object(let members) = add.content else { return true }
    for requirement in catalog[intention.type]?.description.laneRequirements(of: intention) ?? [] {
      let settled = lanes[target, default: [:]][requirement.property] ?? requirement.lanes
      lanes[target, default: [:]][requirement.property] = settled
      guard settled != requirement.lanes else { continue }
      let field = members.first { $0.key == requirement.field }?.value
      file.report(
        "\(requirement.property) of \(target) has \(settled) \(settled == 1 ? "lane" : "lanes") by an operation before, "
          + "the value has \(requirement.lanes)",
        settled == 1 ? "Give one number." : "Give a list of \(settled) numbers.", field: requirement.field,
        at: field?.offset ?? add.offset)
      return false
    }
    return true
  }

  /// The intention, and the fields with their values for the last target where these differ.
  private mutating func readIntention(
    _ value: JSONValue, isNamed: Bool
  ) -> (intention: Intention, last: [Intention.Field])? {
    guard case .object(let members) = value.content else {
      file.report("\(value.inWords) is no intention", "Use an object with a \"type\".", field: "add", at: value.offset)
      return nil
    }
    guard let typeValue = members.first(where: { $0.key == "type" })?.value else {
      file.report("the intention has no type", "Add \"type\".", field: "type", at: value.offset)
      return nil
    }
    guard let text = file.text(typeValue, field: "type") else { return nil }
    guard let type = try? IntentionType(text), let entry = catalog[type] else {
      let refusal = catalog.unknown(text)
      file.report(refusal.message, refusal.remedy, field: "type", at: typeValue.offset)
      return nil
    }
    guard var (intention, last) = readFields(members, of: entry.description) else { return nil }
    if let value = members.first(where: { $0.key == Intention.priorityField })?.value {
      guard let priority = readPriority(value) else { return nil }
      intention.priority = priority
    }
    if let value = members.first(where: { $0.key == Intention.afterField })?.value {
      guard let after = readDelay(value, field: Intention.afterField) else { return nil }
      intention.after = after
    }
    do {
      try catalog.check(intention, isNamed: isNamed)
      if !last.isEmpty { try Spread(to: last).check(for: intention) }
      return (intention, last)
    } catch {
      let field = members.first { $0.key == error.field }?.value
      file.report(error.message, error.remedy, field: error.field, at: field?.offset ?? value.offset)
      return nil
    }
  }

  private mutating func readPriority(_ value: JSONValue) -> Int32? {
    if case .number(let number) = value.content, let priority = Int32(exactly: number),
      Limits.priority.contains(priority)
    {
      return priority
    }
    file.report(
      "\(value.inWords) is no priority",
      "Use a whole number from \(Limits.priority.lowerBound) to \(Limits.priority.upperBound).",
      field: Intention.priorityField, at: value.offset)
    return nil
  }

  /// The fields of an intention, and their values for the last target where these differ; `nil` if any is wrong.
  private mutating func readFields(
    _ members: [JSONMember], of description: IntentionDescription
  ) -> (intention: Intention, last: [Intention.Field])? {
    let errorsBefore = errors.count
    var (fields, last): ([Intention.Field], [Intention.Field]) = ([], [])
    fields.reserveCapacity(members.count)
    for member in members
    where member.key != "type" && !Intention.commonFields.contains(member.key) && !file.isFull {
      guard let field = description.field(meantBy: member.key) else {
        let refusal = description.unknownField(member.key)
        file.report(refusal.message, refusal.remedy, field: refusal.field, at: member.keyOffset)
        continue
      }
      guard !fields.contains(where: { $0.name == field.name }) else {
        file.report(
          "the field \"\(field.name)\" is given twice: to and destination mean the same here", "Leave one of them out.",
          field: member.key, at: member.keyOffset)
        continue
      }
      do {
        if let (from, to) = member.value.ends {
          fields.append(Intention.Field(field.name, try field.value(from: from)))
          last.append(Intention.Field(field.name, try field.value(from: to)))
        } else {
          fields.append(Intention.Field(field.name, try field.value(from: member.value)))
        }
      } catch {
        file.report(error, field: member.key)
      }
    }
    return errors.count == errorsBefore ? (Intention(description.type, fields), last) : nil
  }
}

extension JSONValue {
  /// The values for the first and the last target: `{"from": 0, "to": 100}`.
  fileprivate var ends: (from: JSONValue, to: JSONValue)? {
    guard case .object(let members) = content, members.count == 2, let from = member("from"), let to = member("to")
    else { return nil }
    return (from, to)
  }
}

extension TargetSelector {
  /// The target of an operation with this selector: the only one, or the placeholder.
  fileprivate var placed: TargetName { name ?? Transaction.placeholder }
  /// The selector that the operation needs; `nil` for a plain name.
  fileprivate var remaining: TargetSelector? { name == nil ? self : nil }
}
