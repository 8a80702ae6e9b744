import MotionModel

extension HistoryReader {
  /// Where a moment is.
  struct Place {
    /// The segment that has what led to it.
    var segment: Int
    /// The moment, which no longer depends on other segments; `nil` for the beginning of the segment.
    var moment: RecordedMoment?
    /// Whether it is later than the moment that was asked for, because nothing is known of that.
    var isShort = false
  }

  /// Where a part is.
  struct Span {
    var segments: Range<Int>
    var from: RecordedMoment?
    var to: RecordedMoment?
    var isShort: Bool
    /// What follows its stretch.
    var successor: Successor?
  }

  /// Finds a part.
  func span(_ from: RecordedMoment?, _ to: RecordedMoment?) throws -> Span {
    let (begin, end) = (
      try from.map { try place(of: $0, .after) }, try to.map { try place(of: $0, .before) }
    )
    let stretches = segments.stretches
    guard let newest = stretches.last else { throw nothing(of: "a part") }
    let meant = begin?.segment ?? end?.segment
    let stretch = meant.flatMap { segment in stretches.first { $0.contains(segment) } } ?? newest
    let range = (begin?.segment ?? stretch.lowerBound)...(end?.segment ?? stretch.upperBound - 1)
    guard stretch.contains(range.upperBound) else {
      let other = stretches.first { $0.lowerBound > range.lowerBound } ?? newest
      let place = text(of: segments.all[other.lowerBound].first)
      throw HistoryError(
        segments.gap(before: other) == nil
          ? "between these moments the run began again, at \(place)"
          : "between these moments nothing was kept up to \(place)",
        remedy: "name a part before or after that")
    }
    let next = stretches.first { $0.lowerBound >= stretch.upperBound }
    return Span(
      segments: range.lowerBound..<range.upperBound + 1, from: begin?.moment, to: end?.moment,
      isShort: begin?.isShort ?? false, successor: next.map { segments.gap(before: $0) == nil ? .run : .gap })
  }

  /// The part up to a frame, from so many seconds before it on, or from the beginning of its stretch.
  func span(upTo frame: Frame, in segment: Int, seconds: Double) -> Span {
    let stretch = segments.stretches.first { $0.contains(segment) } ?? segment..<segment + 1
    let beginning = frame.time - seconds
    guard beginning > first(of: stretch).frame.time else {
      return Span(segments: stretch.lowerBound..<segment + 1, to: .frame(frame.number), isShort: false)
    }
    let place = place(ofTime: beginning, in: stretch)
    return Span(segments: place.segment..<segment + 1, from: place.moment, to: .frame(frame.number), isShort: false)
  }

  /// Finds a moment in the newest stretch that has it.
  func place(of moment: RecordedMoment, _ side: RecordedMoment.Side) throws -> Place {
    let stretches = segments.stretches
    guard let newest = stretches.last else { throw nothing(of: "\(moment)") }
    let end = segments.all[newest.upperBound - 1].last.frame
    switch moment.atEnd(max(end.time, now?.time ?? 0)) ?? moment {
    case .frame(let number):
      let stretch = stretches.last { stretch in
        (first(of: stretch).frame.number...last(of: stretch).frame.number).contains(number)
      }
      guard let stretch else { throw nothing(of: "\(moment)") }
      return Place(segment: segments.segment(in: stretch) { $0.frame.number < number }, moment: moment)
    case .simulated(let time):
      let stretch = stretches.last { stretch in
        let reach = stretch == newest ? max(end.time, now?.time ?? end.time) : last(of: stretch).frame.time
        return first(of: stretch).frame.time <= time && time <= reach
      }
      if let stretch { return place(ofTime: time, in: stretch) }
      guard side == .after, let oldest = stretches.first, time < first(of: oldest).frame.time else {
        throw nothing(of: "\(moment)")
      }
      return Place(segment: oldest.lowerBound, isShort: true)
    case .beforeEnd(let seconds):
      let time = end.time - seconds
      let isShort = time < first(of: newest).frame.time
      if isShort, side == .before { return try place(ofTime: time, beforeGapsUpTo: stretches) }
      var place = isShort ? Place(segment: newest.lowerBound, isShort: true) : place(ofTime: time, in: newest)
      if seconds == 0 { place.moment = .frame(end.number) }
      // Whether the run began again meanwhile shows in the bytes.
      try checkContinuity(place.segment..<newest.upperBound)
      return place
    case .wall(let seconds, let day): return try place(ofWallTime: moment, seconds, day, side)
    }
  }

  /// Finds a time before the newest stretch, if the same run had it.
  private func place(ofTime time: Double, beforeGapsUpTo stretches: [Range<Int>]) throws -> Place {
    var index = stretches.count - 1
    while segments.gap(before: stretches[index]) != nil {
      index -= 1
      let (first, last) = (first(of: stretches[index]), last(of: stretches[index]))
      if time > last.frame.time {
        throw HistoryError(
          "nothing was kept between \(text(of: last)) and \(text(of: self.first(of: stretches[index + 1])))",
          remedy: "name a moment before or after that")
      }
      if time >= first.frame.time { return place(ofTime: time, in: stretches[index]) }
    }
    throw short(in: stretches[index])
  }

  private func place(ofTime time: Double, in stretch: Range<Int>) -> Place {
    Place(segment: segments.segment(in: stretch) { $0.frame.time < time }, moment: .simulated(time))
  }

  /// Finds a wall time in all segments that may have it.
  private func place(
    ofWallTime moment: RecordedMoment, _ seconds: Double, _ day: Int?, _ side: RecordedMoment.Side
  ) throws -> Place {
    var found: [(segment: Int, candidate: RecordedMoment.Candidate)] = []
    for stretch in segments.stretches {
      var run: Range<Int>?
      for index in stretch {
        let isMeant = mayShow(index, seconds, day)
        if isMeant { run = (run?.lowerBound ?? index)..<index + 1 }
        guard let whole = run, !isMeant || index == stretch.upperBound - 1 else { continue }
        run = nil
        for candidate in moment.candidates(in: try timeline(whole).times) {
          let number = side == .before ? candidate.before : candidate.after
          let segment = segments.segment(in: stretch) { $0.frame.number < number }
          // After a kill, two segments have the same frames: the later one is meant.
          found.removeAll { $0.candidate.after == candidate.after && $0.candidate.wallTime == candidate.wallTime }
          found.append((segment, candidate))
        }
      }
    }
    guard let first = found.first else { throw nothing(of: "\(moment)") }
    guard found.count == 1 else { throw moment.ambiguity(found.map(\.candidate)) }
    guard side == .after else { return Place(segment: first.segment, moment: .frame(first.candidate.before)) }
    // After the last frame, there is none to name.
    let isInFrames = segments.all.last.map { first.candidate.after <= $0.last.frame.number } ?? true
    return Place(segment: first.segment, moment: isInFrames ? .frame(first.candidate.after) : moment)
  }

  /// Whether a segment, or the time after the newest, may have a wall time.
  private func mayShow(_ index: Int, _ seconds: Double, _ day: Int?) -> Bool {
    let segment = segments.all[index]
    if segment.mayShow(seconds, day) { return true }
    guard index == segments.all.count - 1, let now else { return false }
    return RecordedMoment.isShown(seconds, day, after: segment.last.clocks.wallTime, through: now.wallTime)
  }

  private func first(of stretch: Range<Int>) -> HistorySegment.Place { segments.all[stretch.lowerBound].first }

  private func last(of stretch: Range<Int>) -> HistorySegment.Place { segments.all[stretch.upperBound - 1].last }

  // MARK: Errors

  private func nothing(of moment: String) -> HistoryError {
    let stretches = segments.stretches.map { stretch in
      "from \(text(of: first(of: stretch))) to \(text(of: last(of: stretch)))"
    }
    return HistoryError(
      "\(Self.name) does not contain \(moment)", remedy: "it reaches \(stretches.suffix(4).joined(separator: ", and "))"
    )
  }

  private func short(in stretch: Range<Int>) -> HistoryError {
    let length = segments.stretches.last.map { last(of: $0).frame.time - first(of: stretch).frame.time } ?? 0
    let reason = stretch.lowerBound > 0 ? ", when the run began again" : ""
    return HistoryError(
      "\(Self.name) reaches back only \(RecordedTimes.text(length))\(reason)",
      remedy: "it begins at \(text(of: first(of: stretch)))")
  }

  private func text(of place: HistorySegment.Place) -> String {
    "frame \(place.frame.number), \(RecordedTimes.text(place.frame.time)) (\(WallTimeText.text(place.clocks.wallTime)))"
  }
}
