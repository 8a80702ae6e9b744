import MotionModel
import Testing

@testable import MotionCoordinator

struct MetricsTextTests {
  /// Checks a text by the rules of the format, and returns the samples: name with labels, value.
  static func samples(_ text: String) throws -> [String: Double] {
    var samples: [String: Double] = [:]
    var (family, kind) = ("", "")
    var families: Set<String> = []
    #expect(text.hasSuffix("\n"))
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 3).map(String.init)
      if line.hasPrefix("# HELP ") {
        family = words[2]
        #expect(families.insert(family).inserted, "\(family) is there twice")
        #expect(family.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil)
        #expect(!words[3].isEmpty && words[3].hasSuffix("."))
        kind = ""
      } else if line.hasPrefix("# TYPE ") {
        #expect(words[2] == family && kind.isEmpty, "the type follows the help of its family")
        kind = words[3]
        #expect((kind == "counter") == family.hasSuffix("_total"), "\(family) is a \(kind)")
      } else {
        let match = try #require(line.wholeMatch(of: /([a-z0-9_]+)(\{[^}]*\})? ([-+0-9.eInfaN]+)/))
        let name = String(match.1)
        let bases = kind == "histogram" ? ["_bucket", "_sum", "_count"].map { family + $0 } : [family]
        #expect(bases.contains(name), "\(name) belongs to \(family)")
        let value = try #require(match.3 == "+Inf" ? .infinity : Double(match.3))
        #expect(samples.updateValue(value, forKey: name + (match.2 ?? "")) == nil, "\(line) is there twice")
      }
    }
    return samples
  }

  @Test func `the metrics of an empty daemon contain all families`() throws {
    let samples = try Self.samples(MetricsText(MetricsSnapshot()).text)
    #expect(samples["motiond_targets"] == 0)
    #expect(samples["motiond_frame_lateness_seconds_count"] == 0)
    #expect(samples["motiond_frame_lateness_seconds_bucket{le=\"+Inf\"}"] == 0)
    #expect(!samples.keys.contains { $0.hasPrefix("motiond_journal") }, "without a journal there is nothing to tell")
  }

  @Test func `the metrics have the values of the status`() throws {
    var snapshot = MetricsSnapshot()
    snapshot.status.version = "1.2.3"
    snapshot.status.epoch = 1 << 52
    snapshot.status.uptime = 0.125
    snapshot.status.clock = ClockState(time: 7.5, speed: 0.5, isPaused: true)
    snapshot.status.counts.targets = 1_000_000
    snapshot.status.counters = [
      .init("frames", 99), .init("topics", 3), .init("bytes-published", 5), .init("of-late", 1),
      .init("refused-peers-user", 4), .init("refused-peers-key", 6),
    ]
    snapshot.status.recording = Status.Recording(path: "a", problem: "full")
    var journal = Status.Journal(path: "j")
    journal.lastRow = 12
    journal.rowsSinceCheckpoint = 5
    journal.checkpointBytes = 777
    journal.writes.groups = 2
    journal.writes.rows = 9
    journal.problem = "full"
    journal.problemSeconds = 1.5
    snapshot.status.journal = journal
    for length: Int64 in [240_000, 3_000_000] { snapshot.journalWrites.add(nanoseconds: length) }
    snapshot.workers = [
      .init(address: WorkerAddress("tween", 1), state: .ready, restarts: 2, executors: 3)
    ]
    snapshot.plugins = [("tween", true)]
    let samples = try Self.samples(MetricsText(snapshot).text)
    for (name, value) in [
      ("motiond_build_info{version=\"1.2.3\"}", 1), ("motiond_epoch", 4_503_599_627_370_496),
      ("motiond_uptime_seconds", 0.125),
      ("motiond_paused", 1), ("motiond_speed_ratio", 0.5), ("motiond_simulated_time_seconds", 7.5),
      ("motiond_targets", 1_000_000), ("motiond_frames_total", 99), ("motiond_topics", 3),
      ("motiond_published_bytes_total", 5), ("motiond_of_late_total", 1),
      ("motiond_refused_peers_total{reason=\"user\"}", 4), ("motiond_refused_peers_total{reason=\"key\"}", 6),
      ("motiond_recording_up", 0), ("motiond_journal_up", 0), ("motiond_journal_problem_seconds", 1.5),
      ("motiond_journal_rows_total", 9), ("motiond_journal_rows_since_checkpoint", 5),
      ("motiond_journal_checkpoint_bytes", 777), ("motiond_journal_write_seconds_count", 2),
      ("motiond_journal_write_seconds_bucket{le=\"0.0001\"}", 0),
      ("motiond_journal_write_seconds_bucket{le=\"0.0025\"}", 1),
      ("motiond_journal_write_seconds_bucket{le=\"0.005\"}", 2),
      ("motiond_worker_up{plugin=\"tween\",instance=\"1\"}", 1),
      ("motiond_worker_restarts_total{plugin=\"tween\",instance=\"1\"}", 2),
      ("motiond_worker_executors{plugin=\"tween\",instance=\"1\"}", 3),
      ("motiond_plugin_problem{plugin=\"tween\"}", 1),
    ] as [(String, Double)] {
      #expect(samples[name] == value, "\(name)")
    }
  }

  @Test func `labels and help texts are escaped`() {
    var text = MetricsText()
    text.family("a", .gauge, "one\ntwo\\")
    text.sample("a", ["b": "x\"} 1\n# \\"], .nan)
    #expect(text.text == "# HELP a one\\ntwo\\\\\n# TYPE a gauge\na{b=\"x\\\"} 1\\n# \\\\\"} NaN\n")
  }

  @Test func `bucket counts are never too high, and at most 3 percent too low`() throws {
    var snapshot = MetricsSnapshot()
    let lengths: [Int64] = [0, 9_000, 9_999, 10_000, 10_001, 240_000, 250_001, 999_999_999, 1_000_000_001]
    for length in lengths { snapshot.lateness.add(nanoseconds: length) }
    let samples = try Self.samples(MetricsText(snapshot).text)
    var last = 0.0
    for bound in MetricsText.latenessBounds {
      let seconds = bound == 1_000_000_000 ? "1" : "\(Double(bound) * 1e-9)"
      let name = "motiond_frame_lateness_seconds_bucket{le=\"\(seconds)\"}"
      let count = try #require(samples[name], "\(name)")
      #expect(count <= Double(lengths.count { $0 <= bound }))
      #expect(count >= Double(lengths.count { Double($0) <= Double(bound) * (1 - 1.0 / 32) }))
      #expect(count >= last)
      last = count
    }
    #expect(samples["motiond_frame_lateness_seconds_bucket{le=\"+Inf\"}"] == 9)
    #expect(samples["motiond_frame_lateness_seconds_count"] == 9)
    let sum = try #require(samples["motiond_frame_lateness_seconds_sum"])
    #expect(abs(sum - 2.00052) < 0.0001)
  }
}
