import fc from 'fast-check'

// `npm run test:long` runs every property test at ten times the usual number of cases.
const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)
fc.configureGlobal({ numRuns: 100 * scale })
