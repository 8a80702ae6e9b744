// MotionWireTests
