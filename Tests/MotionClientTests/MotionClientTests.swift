// MotionClientTests
