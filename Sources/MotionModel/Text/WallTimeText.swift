/// Wall-clock times as text, in UTC.
public enum WallTimeText {
  private static let millisecondsPerDay: Int64 = 86_400_000

  /// A time in nanoseconds since 1970, to the millisecond: `2026-11-22T13:14:15.678Z`.
  public static func text(_ nanoseconds: Int64) -> String {
    var milliseconds = nanoseconds / 1_000_000
    if nanoseconds % 1_000_000 < 0 { milliseconds -= 1 }
    var days = milliseconds / millisecondsPerDay
    var rest = milliseconds % millisecondsPerDay
    if rest < 0 { (days, rest) = (days - 1, rest + millisecondsPerDay) }
    let (year, month, day) = date(ofDay: days)
    func padded(_ number: Int64, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T" + padded(rest / 3_600_000, 2) + ":"
      + padded(rest / 60_000 % 60, 2) + ":" + padded(rest / 1000 % 60, 2) + "." + padded(rest % 1000, 3) + "Z"
  }

  /// The number of days from 1970-01-01 to a date of the Gregorian calendar; `nil` if there is no such date.
  public static func days(toYear year: Int64, month: Int64, day: Int64) -> Int64? {
    guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    // Years begin in March, so that the leap day is their last.
    let shifted = month > 2 ? year : year - 1
    let (era, yearOfEra) = (shifted / 400, shifted % 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    return date(ofDay: days) == (year, month, day) ? days : nil
  }

  /// The date that is so many days after 1970-01-01, before it if negative.
  private static func date(ofDay days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
