extension TransactionCheck {
  /// What a transaction does that makes further checks and forecasts necessary.
  struct Effects: OptionSet {
    let rawValue: UInt8

    /// Anything besides adding plans.
    static let takesAway = Effects(rawValue: 1)
    /// It adds a plan that has a priority.
    static let statesPriority = Effects(rawValue: 2)
    /// It adds a plan that sends levels of lamps.
    static let sendsLamps = Effects(rawValue: 4)
  }
}
