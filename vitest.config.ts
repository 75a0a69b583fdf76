import { defineConfig } from 'vitest/config'

const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)

export default defineConfig({
  test: {
    setupFiles: ['./scripts/test-setup.ts'],
    reporters: ['default', './scripts/summary-reporter.ts'],
    include: ['{packages,apps}/**/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'e2e/**/*.test.ts'],
    testTimeout: 20_000 * scale,
    hookTimeout: 60_000,
    pool: 'threads',
  },
})
