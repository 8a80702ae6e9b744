// MotionLink
