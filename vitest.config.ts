import { defineConfig } from 'vitest/config'

const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)
const counted = '{packages,apps}/**/src/**/*cost.test.ts'
const shared = {
  setupFiles: ['./scripts/test-setup.ts', './apps/web/src/test-setup.ts'],
  // Limits are there for what hangs: a busy machine may take long for what takes a second on a quiet one.
  hookTimeout: 120_000,
  expect: { poll: { timeout: 15_000 } },
  pool: 'threads' as const,
  // The files of a worker share what they import: loading it anew for each took more than half of the time.
  isolate: false,
}

export default defineConfig({
  test: {
    reporters: ['default', './scripts/summary-reporter.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'code',
          // most of them wait for timers and sockets
          maxWorkers: 2,
          include: ['{packages,apps}/**/src/**/*.test.{ts,tsx}', 'scripts/*.test.ts'],
          exclude: [counted],
          testTimeout: 60_000 * scale,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // They count the steps of what nobody in their thread has compiled before.
        test: {
          ...shared,
          name: 'counted',
          maxWorkers: 2,
          isolate: true,
          include: [counted],
          testTimeout: 60_000 * scale,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // After the rest and one at a time: a browser takes a core, and delays are measured.
        test: {
          ...shared,
          name: 'browser',
          include: ['e2e/**/*.test.ts'],
          testTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
