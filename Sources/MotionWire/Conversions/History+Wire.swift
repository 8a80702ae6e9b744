import MotionModel
import SwiftProtobuf

extension ProtoHistoryRequest: WireRepresentation {
  init(_ request: HistoryRequest) {
    switch request {
    case .segments: self.request = .segments(.init())
    case .part(let segment, let offset):
      self.request = .part(
        .with {
          $0.segment = segment
          $0.offset = offset
        })
    case .erase: self.request = .erase(.init())
    }
  }

  func model() throws(WireError) -> HistoryRequest {
    switch request {
    case .segments: .segments
    case .part(let part): .part(segment: part.segment, offset: part.offset)
    case .erase: .erase
    case nil: throw .nothingChosen("request")
    }
  }
}

extension ProtoHistory: WireRepresentation {
  init(_ reply: HistoryReply) {
    switch reply {
    case .segments(let listing):
      segments = listing.segments.map(Segment.init)
      problem = Encode.text(listing.problem)
    case .part(let bytes): part = Encode.bytes(bytes)
    }
  }

  func model() throws(WireError) -> HistoryReply {
    hasPart
      ? .part(Encode.array(part))
      : .segments(
        HistoryListing(try Decode.list(segments, "segments"), problem: try Decode.text(problem, "problem")))
  }
}

extension ProtoHistory.Segment: WireRepresentation {
  init(_ segment: HistorySegment) {
    number = segment.number
    bytes = segment.bytes
    first = ProtoHistory.Place(segment.first)
    last = ProtoHistory.Place(segment.last)
  }

  func model() throws(WireError) -> HistorySegment {
    HistorySegment(
      number: number, bytes: bytes, from: try Decode.required(hasFirst, first, "first"),
      to: try Decode.required(hasLast, last, "last"))
  }
}

extension ProtoHistory.Place: WireRepresentation {
  init(_ place: HistorySegment.Place) {
    frame = ProtoFrame(place.frame)
    (wallTime, bootTime) = (place.clocks.wallTime, place.clocks.bootTime)
  }

  func model() throws(WireError) -> HistorySegment.Place {
    .init(
      try Decode.required(hasFrame, frame, "frame"), MachineClocks(wallTime: wallTime, bootTime: bootTime))
  }
}

extension ProtoStatus.KeptHistory: WireRepresentation {
  init(_ history: Status.History) {
    seconds = history.seconds
    bytes = history.bytes
    continues = history.continues
    problem = Encode.text(history.problem)
  }

  func model() throws(WireError) -> Status.History {
    var model = Status.History()
    model.seconds = try Decode.finite(seconds, "seconds")
    (model.bytes, model.continues) = (bytes, continues)
    model.problem = try Decode.text(problem, "problem")
    return model
  }
}
