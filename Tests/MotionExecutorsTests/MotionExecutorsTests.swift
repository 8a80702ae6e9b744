// MotionExecutorsTests
