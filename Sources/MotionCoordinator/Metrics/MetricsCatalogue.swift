/// The metric names and descriptions of the status counters; a counter that is not listed keeps its own name.
enum MetricsCatalogue {
  /// A counter's name, kind and meaning.
  struct Entry {
    let name: String
    let kind: MetricsText.Kind
    let help: String

    init(_ name: String, _ help: String, kind: MetricsText.Kind = .counter) {
      (self.name, self.kind, self.help) = (name, kind, help)
    }
  }

  /// The prefix of the counters whose names end with a reason: one family, with the reason as its label.
  static let refusedPeers = "refused-peers-"

  static let counters: [String: Entry] = [
    "admitted-peers": Entry("motiond_admitted_peers_total", "Connections that were admitted."),
    "bytes-from-clients": Entry("motiond_client_received_bytes_total", "Bytes of messages from clients."),
    "bytes-from-workers": Entry("motiond_worker_received_bytes_total", "Bytes of messages from workers."),
    "bytes-published": Entry("motiond_published_bytes_total", "Bytes of messages with values and outcomes."),
    "bytes-to-clients": Entry("motiond_client_sent_bytes_total", "Bytes of answers to clients."),
    "bytes-to-workers": Entry("motiond_worker_sent_bytes_total", "Bytes of messages to workers."),
    "commits": Entry("motiond_commits_total", "Transactions that were accepted."),
    "conflated-ticks": Entry(
      "motiond_conflated_ticks_total", "Ticks that were merged with later ones because a worker was busy."),
    "foreign-messages": Entry(
      "motiond_foreign_messages_total", "Messages whose sender is neither a client nor a worker."),
    "forged-messages": Entry(
      "motiond_forged_messages_total", "Messages in the name of a worker that another process sent."),
    "frame-wake-ups": Entry("motiond_frame_wake_ups_total", "Wake-ups by the frame timer."),
    "frames": Entry("motiond_frames_total", "Frames that were run."),
    "maintenance-wake-ups": Entry(
      "motiond_maintenance_wake_ups_total", "Wake-ups by the maintenance timer."),
    "held-back": Entry(
      "motiond_properties_held_back", "Properties that limits hold back from their drivers now.", kind: .gauge),
    "late-frames": Entry("motiond_late_frames_total", "Frames that began more than a period late."),
    "left-out-log-lines": Entry(
      "motiond_left_out_log_lines_total", "Lines of workers' logs beyond the limit, which were left out."),
    "late-updates": Entry("motiond_late_updates_total", "Frames for which the values of a worker arrived too late."),
    "limit-entries": Entry(
      "motiond_limit_entries_total", "Times that limits began to hold a property back from its driver."),
    "link-fenced": Entry("motiond_link_fenced_messages_total", "Messages of workers that had been fenced already."),
    "link-gaps": Entry("motiond_link_gaps_total", "Gaps in the sequence numbers of workers' messages."),
    "link-old": Entry("motiond_link_old_messages_total", "Messages of workers that arrived twice or too late."),
    "link-stalls": Entry(
      "motiond_link_stalls_total", "Times that workers' silence did not count, because motiond had been suspended."),
    "link-unexpected": Entry(
      "motiond_link_unexpected_messages_total", "Messages of workers that were not expected at that moment."),
    "malformed-messages": Entry("motiond_malformed_messages_total", "Messages that could not be decoded."),
    "messages-published": Entry("motiond_published_messages_total", "Messages with values and outcomes."),
    "refusals": Entry("motiond_refusals_total", "Requests of clients that were refused."),
    "refused-checkpoints": Entry(
      "motiond_refused_checkpoints_total", "Checkpoints that could not be read back, and were replaced by whole ones."),
    "refused-connections": Entry(
      "motiond_refused_connections_total", "Connections that were closed for lack of descriptors."),
    "refused-subscriptions": Entry("motiond_refused_subscriptions_total", "Subscriptions that were refused."),
    "refused-tokens": Entry("motiond_refused_tokens_total", "Tokens beyond the limit of an executor."),
    "refused-writes": Entry("motiond_refused_writes_total", "Values of workers that were refused."),
    "requests": Entry("motiond_requests_total", "Requests of clients."),
    "skipped-frames": Entry("motiond_skipped_frames_total", "Frames that were skipped because they were too late."),
    "stalls": Entry("motiond_stalls_total", "Times that the loop was suspended, or too busy to receive messages."),
    "step-timeouts": Entry("motiond_step_timeouts_total", "Steps for which a worker sent no update in time."),
    "ticks": Entry("motiond_ticks_total", "Ticks sent to workers."),
    "topics": Entry("motiond_topics", "Topics with at least one subscriber.", kind: .gauge),
    "turns": Entry("motiond_loop_turns_total", "Turns of the loop."),
    "unsent-replies": Entry(
      "motiond_unsent_replies_total", "Answers that could not be sent because their clients did not read."),
  ]
}
