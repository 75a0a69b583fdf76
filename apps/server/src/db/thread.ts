import type { WorkerOptions } from 'node:worker_threads'
import { startThread, type Thread, type ThreadEdges } from '../worker-thread.ts'
import type { Request, StatementResult, WorkerSetup } from './messages.ts'

// A release has one bundle with the worker next to it; a checkout runs the sources.
const url = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './db-worker.cjs', import.meta.url)

/**
 * The thread holds only a few rows at a time, so V8's usual young generation would waste memory. It needs
 * neither the environment nor the flags of this process.
 */
const options: WorkerOptions = {
  resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 },
  env: {},
  execArgv: [],
}

/** The thread that owns pulse.db. */
export const startDatabaseThread = (
  setup: WorkerSetup,
  edges: ThreadEdges,
): Thread<Request, StatementResult[]> =>
  startThread(
    {
      url,
      options,
      setup,
      hello: { do: 'run', statements: [{ sql: 'SELECT 1', parameters: [] }] },
      goodbye: { do: 'close' },
    },
    edges,
  )
