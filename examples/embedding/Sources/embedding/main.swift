import MotionCore
import MotionModel

let runtime = Runtime(ratePerSecond: 60)
runtime.log.keeps = .endings
var transaction = Transaction()
transaction.add(.springTo("position", [100, 50]), to: "ball")
transaction.add(.springTo("opacity", 0.5), to: "lamp")
try runtime.commit(transaction)

while runtime.wantsFrames {
  runtime.advance()
  for change in runtime.changes {
    print(runtime.frame.number, change.reference, change.state.value.array)
  }
  for plan in runtime.log.take().flatMap(\.ended) {
    print(runtime.frame.number, plan.target, plan.type, plan.outcome)
  }
}
