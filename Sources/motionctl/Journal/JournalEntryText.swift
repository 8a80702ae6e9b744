import MotionJournal

/// What a row says.
enum JournalEntryText {
  /// In a few words.
  static func text(of row: JournalReport.Row) -> String {
    row.isHistory ? "covered by a checkpoint" : "a row"
  }
}
