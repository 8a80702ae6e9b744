// SoundnessTests
