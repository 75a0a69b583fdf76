/** Multiplies all timeouts in tests: `PULSE_TEST_TIMEOUT_FACTOR=2` doubles them, for a busy machine. */
const timeoutFactor = Number(process.env['PULSE_TEST_TIMEOUT_FACTOR'] ?? 1)

export const within = (ms: number): number => ms * timeoutFactor
