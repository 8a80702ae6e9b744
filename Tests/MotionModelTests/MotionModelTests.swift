// MotionModelTests
