import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { within } from './scripts/test-limits.ts'
import { LongestFirst } from './scripts/test-order.ts'

// Every server that a test starts has a thread that loads the database's modules anew.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.cache/pulse-tests', import.meta.url),
)

const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)
/** They need a process that nobody has used: code not yet compiled, whose steps can be counted, authorities not yet read, modules not yet loaded. */
const alone = [
  '{packages,apps}/**/src/**/*cost.test.ts',
  'apps/server/src/collectors/pinning.test.ts',
  'apps/server/src/month/month.test.ts',
]
const builtThread = new URL('node_modules/.cache/pulse-server/dist/db-worker.cjs', import.meta.url)
/** Every server has a thread for its database. As it ships, that starts in a fraction of the time that its sources take. */
const ships = {
  name: 'database-thread-as-it-ships',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    if (!id.endsWith('/apps/server/src/db/thread.ts')) return undefined
    const source = `'./worker.ts'`
    if (!code.includes(source))
      throw new Error(`${id} does not name ${source}, which vitest.config.ts replaces`)
    return code.replace(source, JSON.stringify(builtThread.href))
  },
}

/** What every file imports and none replaces is loaded by Node itself: once in a worker, and not by the tests' own loader. */
const native = {
  deps: { external: [/\/(packages\/(contract|domain|testkit)|apps\/lab)\/src\/(?!.*\.test\.ts$)/] },
}

const shared = {
  setupFiles: ['./scripts/test-setup.ts', './apps/web/src/test-setup.ts'],
  // Limits are there for what hangs: a busy machine may take long for what takes a second on a quiet one.
  hookTimeout: within(180_000),
  testTimeout: within(180_000) * scale,
  expect: { poll: { timeout: within(30_000) } },
  // The files of a worker share what they import: loading it anew for each took more than half of the time.
  isolate: false,
}

/** Processes, not threads: starting a program copies the memory map of who starts it, and hundreds of tests start one. */
const processes = {
  pool: 'forks' as const,
  // What tests make is thrown away soon: with more space for new objects, cleared by one thread where four workers share
  // two cores, they take a seventh less.
  execArgv: ['--max-semi-space-size=64', '--single-threaded-gc'],
}

export default defineConfig({
  test: {
    reporters: ['default', './scripts/summary-reporter.ts'],
    silent: 'passed-only',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [ships],
        // Most of them wait for timers and sockets, so that more than two keep two cores busy.
        test: {
          ...shared,
          ...processes,
          server: native,
          name: 'code',
          maxWorkers: 4,
          globalSetup: ['./scripts/test-product.ts'],
          include: ['{packages,apps}/**/src/**/*.test.{ts,tsx}', 'scripts/*.test.ts'],
          exclude: alone,
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins: [ships],
        test: {
          ...shared,
          ...processes,
          server: native,
          name: 'alone',
          maxWorkers: 4,
          isolate: true,
          globalSetup: ['./scripts/test-product.ts'],
          include: alone,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // After the rest; a journey mostly waits for the next answer of the estate.
        test: {
          ...shared,
          pool: 'threads',
          name: 'browser',
          maxWorkers: 4,
          globalSetup: ['./e2e/one-browser.ts'],
          include: ['e2e/**/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
