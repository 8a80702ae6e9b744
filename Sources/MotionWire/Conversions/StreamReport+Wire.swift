import MotionModel

extension ProtoStreamReport: WireRepresentation {
  init(_ report: StreamReport) {
    plans = report.plans.map(Plan.init)
    cut = report.isCut
  }

  func model() throws(WireError) -> StreamReport {
    StreamReport(try Decode.list(plans, "plans", atMost: Limits.plansPerStreamReport), isCut: cut)
  }
}

extension ProtoStreamReport.Plan: WireRepresentation {
  init(_ plan: StreamReport.Plan) {
    identity = ProtoIntentionIdentity(plan.identity)
    streams = plan.streams.map(ProtoStreamReport.Stream.init)
  }

  func model() throws(WireError) -> StreamReport.Plan {
    StreamReport.Plan(
      try Decode.required(hasIdentity, identity, "identity"),
      try Decode.list(streams, "streams", atMost: Limits.streamsPerIntention))
  }
}

extension ProtoStreamReport.Stream: WireRepresentation {
  init(_ stream: StreamDescription) {
    goal =
      switch stream.goal {
      case .property(let property): .property(property.text)
      case .argument(let place): .argumentOf(ProtoStreamReport.Place(place))
      }
    calls = stream.calls
    if let place = stream.follows { follows = ProtoStreamReport.Place(place) }
  }

  func model() throws(WireError) -> StreamDescription {
    let calls = try Decode.list(calls, "calls", atMost: Limits.callsPerStream) { call throws(WireError) in
      try Decode.text(call, "", atMost: Limits.streamCallBytes)
    }
    let place = hasFollows ? try Decode.part(follows, "follows") : nil
    switch goal {
    case .property(let property):
      return StreamDescription(.property(try Decode.name(property, "property")), following: place, calls: calls)
    case .argumentOf(let call):
      return StreamDescription(.argument(of: try Decode.part(call, "argument_of")), following: place, calls: calls)
    case nil: throw .nothingChosen("goal")
    }
  }
}

extension ProtoStreamReport.Place: WireRepresentation {
  init(_ place: StreamDescription.Place) {
    stream = Encode.count(place.stream)
    call = Encode.count(place.call)
  }

  func model() throws(WireError) -> StreamDescription.Place {
    StreamDescription.Place(stream: Int(stream), call: Int(call))
  }
}
