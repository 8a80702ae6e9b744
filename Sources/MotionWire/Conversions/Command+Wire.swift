import MotionModel
import SwiftProtobuf

extension ProtoCommand {
  init(_ command: WorkerCommand, number: UInt64) {
    self.number = number
    self.command =
      switch command {
      case .add(let executor, let key, let planned):
        .add(
          .with {
            $0.executor = executor.rawValue
            $0.key = ProtoExecutorKey(key)
            $0.intention = ProtoPlannedIntention(planned)
          })
      case .remove(let executor, let identity):
        .remove(
          .with {
            $0.executor = executor.rawValue
            $0.identity = ProtoIntentionIdentity(identity)
          })
      case .removeExecutor(let executor): .removeExecutor(.with { $0.executor = executor.rawValue })
      case .displaced(let executor, let property):
        .displaced(
          .with {
            $0.executor = executor.rawValue
            $0.property = property.text
          })
      case .resumed(let executor, let property, let state, let time):
        .resumed(
          .with {
            $0.executor = executor.rawValue
            $0.property = property.text
            $0.state = ProtoPropertyState(state)
            $0.time = time
          })
      case .properties(let properties):
        .properties(.with { $0.properties = properties.map(ProtoReadProperty.init) })
      case .input(let executor, let input, let properties):
        .input(
          .with {
            $0.executor = executor.rawValue
            $0.input = ProtoInput(input)
            $0.properties = properties.map(ProtoReadProperty.init)
          })
      case .shutdown(let isFinal): .shutdown(.with { $0.final = isFinal })
      }
  }

  func model() throws(WireError) -> WorkerCommand {
    switch command {
    case .add(let add):
      do {
        return .add(
          ExecutorHandle(add.executor), try Decode.required(add.hasKey, add.key, "key"),
          try Decode.required(add.hasIntention, add.intention, "intention"))
      } catch {
        throw error.within("add")
      }
    case .remove(let remove):
      return .remove(
        ExecutorHandle(remove.executor),
        try Decode.required(remove.hasIdentity, remove.identity, "remove.identity"))
    case .removeExecutor(let remove): return .removeExecutor(ExecutorHandle(remove.executor))
    case .displaced(let displaced):
      return .displaced(
        ExecutorHandle(displaced.executor), try Decode.name(displaced.property, "displaced.property"))
    case .resumed(let resumed):
      return .resumed(
        ExecutorHandle(resumed.executor), try Decode.name(resumed.property, "resumed.property"),
        try Decode.required(resumed.hasState, resumed.state, "resumed.state"),
        time: try Decode.finite(resumed.time, "resumed.time"))
    case .properties(let properties):
      return .properties(try Decode.list(properties.properties, "properties.properties"))
    case .input(let input):
      return .input(
        ExecutorHandle(input.executor), try Decode.required(input.hasInput, input.input, "input.input"),
        over: try Decode.list(input.properties, "input.properties", atMost: Limits.propertiesPerTarget))
    case .shutdown(let shutdown): return .shutdown(isFinal: shutdown.final)
    case nil: throw .nothingChosen("command")
    }
  }
}
