import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { within } from './scripts/test-limits.ts'
import { LongestFirst, SummaryReporter } from './scripts/test-runner.ts'

// Every server of a test has a thread that loads the modules of the database again.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.cache/pulse-tests', import.meta.url),
)

const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)
/** These need a fresh process: they count the steps of uncompiled code, read authorities, or load modules for the first time. */
const alone = [
  '{packages,apps}/**/src/**/*cost.test.ts',
  'apps/server/src/collectors/pinning.test.ts',
  'apps/server/src/month/month.test.ts',
]
/** Which modules start a thread from its source, and what the built one is called. */
const threads = [
  { starter: '/apps/server/src/db/thread.ts', source: `'./worker.ts'`, built: 'db-worker.cjs' },
  {
    starter: '/apps/server/src/history/history-thread.ts',
    source: `'../db/history/worker.ts'`,
    built: 'history-worker.cjs',
  },
]
/** Every server has threads for its databases. A built one starts in a fraction of the time of its sources. */
const ships = {
  name: 'database-threads-as-they-ship',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    const thread = threads.find(({ starter }) => id.endsWith(starter))
    if (!thread) return undefined
    const { source, built } = thread
    if (!code.includes(source))
      throw new Error(`${id} does not name ${source}, which vitest.config.ts replaces`)
    const url = new URL(`node_modules/.cache/pulse-server/dist/${built}`, import.meta.url)
    return code.replace(source, JSON.stringify(url.href))
  },
}

/** Modules that every file imports and none mocks are loaded by Node: once in a worker, not by the loader of the tests. */
const native = {
  deps: { external: [/\/(packages\/(contract|domain|testkit)|apps\/lab)\/src\/(?!.*\.test\.ts$)/] },
}

/** Most tests wait for timers, sockets and answers, so that more than two keep two cores busy. */
const maxWorkers = 4

const shared = {
  setupFiles: ['./scripts/test-setup.ts', './apps/web/src/test-setup.ts'],
  // Timeouts are for tests that hang: a busy machine may take long for a second of work.
  hookTimeout: within(180_000),
  testTimeout: within(180_000) * scale,
  expect: { poll: { timeout: within(30_000) } },
  // The files of a worker share what they import: loading it for each file took more than half of the time.
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
    reporters: ['default', new SummaryReporter()],
    silent: 'passed-only',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [ships],
        test: {
          ...shared,
          ...processes,
          server: native,
          name: 'code',
          maxWorkers,
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
          maxWorkers,
          isolate: true,
          globalSetup: ['./scripts/test-product.ts'],
          include: alone,
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins: [ships],
        // After the rest; a journey mostly waits for the next answer of the estate.
        test: {
          ...shared,
          pool: 'threads',
          name: 'browser',
          maxWorkers,
          globalSetup: ['./scripts/test-product.ts'],
          include: ['e2e/**/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
