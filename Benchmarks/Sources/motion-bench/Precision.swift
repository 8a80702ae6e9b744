import Foundation
import MotionPhysics

/// How far steps in 32 and in 64 bits lead from where one long step does, at worst of many springs.
///
/// They have no friction, which would hide what was off, and swing 0.2 to 16 times a second.
struct Precision {
  /// How many steps of a millisecond.
  let steps: Int

  private static let springs = 100
  private static let dt = 1.0 / 1000

  /// The largest error in 32 bits beside that in 64, as a share of where the spring began.
  var row: Row {
    let errors = (0..<Self.springs).map { index in
      error(frequency: pow(100, Double(index) / Double(Self.springs - 1)))
    }
    return Row(
      benchmark: "springs", series: "off after \(steps) steps of 1 ms, in 32 bits", size: Self.springs,
      cost: errors.map(\.single).max() ?? 0, reference: errors.map(\.double).max() ?? 0, unit: "of the way",
      comparedWith: "64 bits")
  }

  private func error(frequency: Double) -> (single: Double, double: Double) {
    let law = SpringCoefficients(tension: frequency * frequency, friction: 0)
    let forces = ForceSum(spring: law, anchor: .zero)
    let step = LinearStep(forces: forces, dt: Self.dt)
    let first = step.advance(displacement: SIMD4(1, 0, 0, 0), velocity: SIMD4(0, 1, 0, 0))
    // The matrix: what becomes of a displacement alone, and of a velocity alone.
    let (uu, vu) = (first.displacement[0], first.displacement[1])
    let (uv, vv) = (first.velocity[0], first.velocity[1])
    let exact = LinearStep(forces: forces, dt: Self.dt * Double(steps))
      .advance(displacement: SIMD4(1, 0, 0, 0), velocity: .zero).displacement[0]
    return (
      abs(Double(swing(Float(uu), Float(vu), Float(uv), Float(vv))) - exact), abs(swing(uu, vu, uv, vv) - exact)
    )
  }

  private func swing<Number: BinaryFloatingPoint>(_ uu: Number, _ vu: Number, _ uv: Number, _ vv: Number) -> Number {
    var (displacement, velocity): (Number, Number) = (1, 0)
    for _ in 0..<steps {
      (displacement, velocity) = (uu * displacement + vu * velocity, uv * displacement + vv * velocity)
    }
    return displacement
  }
}
