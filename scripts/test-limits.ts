/** How long is waited for what hangs. `PULSE_TEST_PATIENCE=2` doubles it all, for a machine that is busy with other things. */
export const patience = Number(process.env['PULSE_TEST_PATIENCE'] ?? 1)

export const within = (ms: number): number => ms * patience
