import type { Worker } from 'node:worker_threads'
import type { Reply } from '../db/messages.ts'

/** Statements and rows of the database thread. */
export interface Work {
  questions: number
  rows: number
  bytes: number
}

const seen = new Set<Work>()
process.on('worker', (worker: Worker) =>
  worker.on('message', (reply: Reply) => {
    // The thread of the metric history answers in another form.
    if (seen.size === 0 || !('ok' in reply) || (reply.ok && !Array.isArray(reply.results))) return
    const rows = reply.ok ? reply.results.flatMap((result) => result.rows) : []
    const bytes = rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0)
    for (const work of seen) {
      work.questions++
      work.rows += rows.length
      work.bytes += bytes
    }
  }),
)

/** Counts reads of all databases during a call. */
export async function workOf(what: () => Promise<void>): Promise<Work> {
  const work: Work = { questions: 0, rows: 0, bytes: 0 }
  seen.add(work)
  try {
    await what()
    return work
  } finally {
    seen.delete(work)
  }
}
