import fs from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { writeDurably } from './durable.ts'

/** Each phase is written before its work begins; see the table in decision 44. */
export const phases = ['checking', 'backing-up', 'applying', 'restarting', 'returning', 'returned'] as const
const Slot = z.enum(['a', 'b'])
export type Slot = z.infer<typeof Slot>

const Job = z.object({
  /** id of the request and of the history entry */
  id: z.string(),
  phase: z.enum(phases),
  from: Slot,
  to: Slot,
  was: z.string(),
  version: z.string(),
  /** stamp of the saved data */
  stamp: z.string().check(z.regex(/^[\w-]+$/)),
  /** why the switch returns to the old version */
  fault: z.optional(z.object({ code: z.string(), message: z.string() })),
})
export type Job = z.infer<typeof Job>

const journalFile = (root: string) => path.join(root, 'switch.json')

/** The job that was begun and has not ended. */
export function readJournal(root: string): Job | undefined {
  const file = journalFile(root)
  return fs.existsSync(file) ? Job.parse(JSON.parse(fs.readFileSync(file, 'utf8'))) : undefined
}

export const writeJournal = (root: string, job: Job): void =>
  writeDurably(journalFile(root), `${JSON.stringify(job)}\n`, 0o644)

export const endJournal = (root: string): void => fs.rmSync(journalFile(root), { force: true })
