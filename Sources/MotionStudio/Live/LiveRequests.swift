import MotionClient
import MotionCore
import MotionFiles
import MotionModel
import MotionWire

/// Executes what a conversation requests of motiond.
struct LiveRequests {
  let client: MotionClient
  let instant: LiveConversation.Instant

  /// Executes a request, and returns the conversation's next actions.
  ///
  /// - Throws: what motiond refuses, or that it cannot be reached.
  func answer(
    _ request: LiveConversation.Request, _ conversation: inout LiveConversation
  ) throws(MotionClientError) -> [LiveConversation.Action] {
    switch request {
    case .status: return []
    case .properties:
      let counts = try client.status().counts
      return conversation.take(properties: try client.rows(PropertyRow.self).map(\.reference), counts: counts)
    case .drivers:
      let drivers = try self.drivers()
      return conversation.take(
        drivers: drivers, frame: 0, time: client.moment?.time ?? 0, at: instant)
    case .graph: return conversation.take(graph: try client.graph())
    case .parameters(let names, let id):
      return conversation.take(parameters: try parameters(conversation, for: names), for: names, id: id)
    case .watched(let names):
      return conversation.take(watched: try parameters(conversation, for: names))
    case .set(let parameters, let id): return try set(parameters, id, &conversation)
    case .call(let call, let service):
      return [.send(ServerMessage.response(call, try respond(service, call.payload)))]
    }
  }

  // MARK: Reading

  private func drivers() throws(MotionClientError) -> [(PropertyReference, String)] {
    let rows = try client.rows(IntentionRow.self)
    // A row of each, and not the plan itself: few have a driver that is followed.
    let plans = Dictionary(rows.indices.lazy.map { (rows[$0].identity, $0) }) { $1 }
    return try client.rows(PropertyRow.self).compactMap { row in
      guard let executor = row.driver, let identity = row.because.last, let place = plans[identity] else { return nil }
      let plan = rows[place]
      let driver = DriverChange.Driver(
        executor: executor, identity: identity, type: plan.intention.type, name: plan.name)
      return (row.reference, SampleMessage.text(of: driver))
    }
  }

  /// The table for parameters of these names: limits and plans are queried only if they are wanted.
  private func parameters(
    _ conversation: LiveConversation, for names: [String]
  ) throws(MotionClientError) -> ParameterTable {
    let wantsLimits = names.isEmpty || names.contains { $0.hasPrefix("/limits/") }
    let wantsPlans = names.isEmpty || names.contains { $0.hasPrefix("/plans/") }
    return ParameterTable(
      try client.status().clock, pattern: conversation.pattern,
      properties: wantsLimits ? try client.rows(PropertyRow.self) : nil,
      plans: wantsPlans ? try client.rows(IntentionRow.self) : nil)
  }

  // MARK: Changing

  private func set(
    _ parameters: [Parameter], _ id: String?, _ conversation: inout LiveConversation
  ) throws(MotionClientError) -> [LiveConversation.Action] {
    var actions: [LiveConversation.Action] = []
    let names = parameters.map(\.name)
    var accepted: [String: Parameter] = [:]
    for parameter in parameters {
      let table = try self.parameters(conversation, for: [parameter.name])
      let change: ParameterTable.Change
      do throws(ParameterTable.ChangeError) {
        change = try table.change(to: parameter)
      } catch {
        actions.append(LiveConversation.warning(error.description))
        continue
      }
      do throws(MotionClientError) {
        switch change {
        case .clock(let command): try client.clock(command)
        case .transaction(let file):
          _ = try commit(file)
          accepted[parameter.name] = parameter
        case .channels(let pattern): actions += conversation.show(pattern)
        }
      } catch  where error.code == .refused {
        actions.append(LiveConversation.warning("\(parameter.name) was not set: \(error)"))
      }
    }
    return actions
      + conversation.take(
        parameters: try self.parameters(conversation, for: names), for: names, id: id, accepted: accepted)
  }

  private func commit(_ bytes: [UInt8]) throws(MotionClientError) -> JSONOutput {
    let catalog = try self.catalog()
    let file: TransactionFile
    do throws(FileErrors) {
      file = try TransactionFile(bytes, named: "request", catalog: catalog)
    } catch {
      throw MotionClientError(.refused, "\(error)")
    }
    let id = file.id ?? .random()
    var now = 0.0
    if file.at?.isRelative == true { now = try client.status().clock.time }
    let receipt = try client.commit(
      file.transaction, id: id, at: file.at?.seconds(from: now), whileConnected: file.whileConnected,
      comment: file.comment)
    return JSONOutput(receipt, of: id, from: nil, at: client.moment)
  }

  private func catalog() throws(MotionClientError) -> IntentionCatalog {
    var catalog = IntentionCatalog.knowingEasings()
    // One provider for all, so that no two are in conflict: the daemon has already chosen the provider.
    for type in try client.types() { _ = try? catalog.add(type, from: .inProcess) }
    return catalog
  }

  private func respond(_ service: Service, _ payload: [UInt8]) throws(MotionClientError) -> JSONOutput {
    if service == .commit { return try commit(payload) }
    let request: ServiceRequest
    do {
      request = try ServiceRequest(service, payload)
    } catch {
      throw MotionClientError(.refused, error.description)
    }
    switch request {
    case .clock(let command): return JSONOutput(try client.clock(command))
    case .stop(let stop):
      if let selector = stop.selector {
        return JSONOutput(try client.stop(each: selector, outputs: stop.outputs, ramp: stop.ramp))
      }
      return JSONOutput(try client.stop(stop.targets, outputs: stop.outputs, ramp: stop.ramp))
    case .why(let property):
      let explanation = try client.explanation(of: property)
      return JSONOutput(explanation, wallTime: client.moment?.wallTime)
    case .list(.status): return ["rows": .list([JSONOutput(try client.status(), at: client.moment)])]
    case .list(let query):
      let answer = JSONOutput(try client.query(query))
      if case .list = answer { return ["rows": answer] }
      return ["rows": .list([answer])]
    case .input(var input):
      let now = instant.now.inSeconds
      for index in input.events.indices { input.events[index].time = max(0, now + input.events[index].time) }
      return JSONOutput(try client.send(input))
    }
  }
}
