import fc from 'fast-check'
import { afterAll, vi } from 'vitest'

// `npm run test:long` runs every property test at ten times the usual number of cases.
const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)
fc.configureGlobal({ numRuns: 100 * scale })

// Test files share their worker, so everything that a file has replaced is restored.
afterAll(() => {
  vi.resetConfig()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
