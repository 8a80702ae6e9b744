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
    property = stream.property.text
    calls = stream.calls
  }

  func model() throws(WireError) -> StreamDescription {
    let calls = try Decode.list(calls, "calls", atMost: Limits.callsPerStream) { call throws(WireError) in
      try Decode.text(call, "", atMost: Limits.streamCallBytes)
    }
    return StreamDescription(try Decode.name(property, "property"), calls: calls)
  }
}
