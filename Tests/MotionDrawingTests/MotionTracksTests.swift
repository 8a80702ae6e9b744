import MotionModel
import Testing

@testable import MotionDrawing

@Suite struct MotionTracksTests {
  private let ball = PropertyReference("ball", "x")

  private func frame(_ number: UInt64, _ time: Double) -> Frame { Frame(number: number, time: time, dt: 0.25) }

  private func change(_ time: Double, _ type: IntentionType?, on reference: PropertyReference? = nil) -> DriverChange {
    DriverChange(
      reference ?? ball, frame: 1, time: time,
      driver: type.map { type in
        DriverChange.Driver(executor: "Any", identity: IntentionIdentity(sequence: 1, operation: 0), type: type)
      })
  }

  /// Time and value of each sample.
  private func samples(_ tracks: MotionTracks) -> [[Double]] {
    tracks.tracks.first?.samples.map { [$0.time, $0.state.value[0]] } ?? []
  }

  @Test func `consecutive frames become samples`() {
    var tracks = MotionTracks(from: 0)
    for number in 1...3 {
      tracks.take(PropertyState(Lanes(Double(number))), of: ball, in: frame(UInt64(number), Double(number) / 4))
    }
    #expect(samples(tracks) == [[0.25, 1], [0.5, 2], [0.75, 3]])
  }

  @Test func `a value holds until its next frame begins`() {
    var tracks = MotionTracks(from: 0)
    tracks.take(PropertyState(1), of: ball, in: frame(1, 0.25))
    tracks.take(PropertyState(2), of: ball, in: frame(2, 5))
    #expect(samples(tracks) == [[0.25, 1], [4.75, 1], [5, 2]])
    #expect(tracks.tracks[0].samples.map(\.frame) == [1, 1, 2])
  }

  @Test func `a track begins at the origin and ends at the end time`() {
    var tracks = MotionTracks(from: 10)
    tracks.take(PropertyState(1), of: ball, in: frame(7, 3))
    tracks.take(change(2, "Tween"))
    tracks.end(at: 12)
    #expect(samples(tracks) == [[10, 1], [12, 1]])
    #expect(tracks.tracks[0].marks == [MotionTrack.Mark(time: 10, label: "Tween")])
    #expect(tracks.tracks[0].times == 10...12)
  }

  @Test func `a property that still moves at the end gets no end sample`() {
    var tracks = MotionTracks(from: 0)
    tracks.take(PropertyState(1, velocity: 5), of: ball, in: frame(1, 0.25))
    tracks.end(at: 9)
    #expect(samples(tracks) == [[0.25, 1]])
  }

  @Test func `times that go back and other lane counts are left out`() {
    var tracks = MotionTracks(from: 0)
    tracks.take(PropertyState(1), of: ball, in: frame(2, 0.5))
    tracks.take(PropertyState(2), of: ball, in: frame(2, 0.5))
    tracks.take(PropertyState(3), of: ball, in: frame(1, 0.25))
    tracks.take(PropertyState([4, 5]), of: ball, in: frame(3, 0.75))
    #expect(samples(tracks) == [[0.5, 1]])
  }

  @Test func `the last of several drivers at one moment is marked`() {
    var tracks = MotionTracks(from: 0)
    tracks.take(PropertyState(1), of: ball, in: frame(1, 0.25))
    for (time, type) in [(0.1, "SpringTo"), (0.2, nil), (0.2, "Tween"), (0.3, nil)] as [(Double, IntentionType?)] {
      tracks.take(change(time, type))
    }
    #expect(tracks.tracks[0].marks.map(\.label) == ["SpringTo", "Tween", "nobody"])
  }

  @Test func `a property with a driver and no values is not drawn`() {
    var tracks = MotionTracks(from: 0)
    tracks.take(change(0.1, "Tween"))
    #expect(tracks.tracks.isEmpty)
  }

  @Test func `tracks beyond the limit are counted as left out`() throws {
    var tracks = MotionTracks(from: 0)
    for number in 0..<(MotionTracks.mostTracks + 3) {
      let reference = PropertyReference(try TargetName("t\(number)"), "x")
      for _ in 0..<2 { tracks.take(PropertyState(1), of: reference, in: frame(1, 0.25)) }
      tracks.take(change(0.3, "Tween", on: reference))
    }
    #expect(tracks.tracks.count == MotionTracks.mostTracks)
    #expect(tracks.leftOut == 3)
  }

  @Test func `samples beyond the limit are not kept`() {
    var tracks = MotionTracks(from: 0)
    for number in 1...(MotionTracks.mostSamples + 5) {
      tracks.take(PropertyState(1, velocity: 1), of: ball, in: frame(UInt64(number), Double(number) / 4))
    }
    #expect(tracks.isFull)
    #expect(tracks.tracks[0].samples.count == MotionTracks.mostSamples)
  }

  @Test func `a cut contains the samples and marks between its times`() {
    var tracks = MotionTracks(from: 0)
    for number in 1...8 { tracks.take(PropertyState(1), of: ball, in: frame(UInt64(number), Double(number) / 4)) }
    for time in [0.1, 0.6, 1.9] { tracks.take(change(time, "Tween")) }
    let cut = tracks.tracks[0].cut(to: 0.5...1)
    #expect(cut.samples.map(\.time) == [0.5, 0.75, 1])
    #expect(cut.marks.map(\.time) == [0.6])
  }
}
