// MotionClient
