// MotionWire
