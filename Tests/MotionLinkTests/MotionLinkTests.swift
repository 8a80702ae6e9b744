// MotionLinkTests
