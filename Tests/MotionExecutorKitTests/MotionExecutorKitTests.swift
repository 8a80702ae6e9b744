// MotionExecutorKitTests
