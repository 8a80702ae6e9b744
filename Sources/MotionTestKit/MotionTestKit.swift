// MotionTestKit
