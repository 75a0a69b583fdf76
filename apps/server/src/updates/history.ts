import { UpdateHistoryEntry, updateHistoryLimit } from '@pulse/contract'
import fs from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { historyFile } from './handover.ts'
import { writeDurably } from './switch/durable.ts'

export interface UpdateHistory {
  /** newest first */
  list(): readonly UpdateHistoryEntry[]
  find(id: string): UpdateHistoryEntry | undefined
  add(entry: UpdateHistoryEntry): void
  change(id: string, fields: Partial<UpdateHistoryEntry>): void
}

/**
 * The history is separate from the database, so that restored data do not remove entries. Invalid lines are
 * skipped and logged.
 */
export function openHistory(dataDir: string, log: Logger): UpdateHistory {
  const file = path.join(dataDir, historyFile)
  let entries: readonly UpdateHistoryEntry[] = read(file, log)

  /** one entry per line, oldest first */
  function save(all: readonly UpdateHistoryEntry[]): void {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    writeDurably(
      file,
      all
        .toReversed()
        .map((entry) => `${JSON.stringify(entry)}\n`)
        .join(''),
    )
  }

  return {
    list: () => entries,
    find: (id) => entries.find(({ event_id }) => event_id === id),
    add(entry) {
      const all = [entry, ...entries].slice(0, updateHistoryLimit)
      save(all)
      entries = all
    },
    /** The change applies immediately, even if it cannot be stored. */
    change(id, fields) {
      entries = entries.map((entry) => (entry.event_id === id ? { ...entry, ...fields } : entry))
      save(entries)
    },
  }
}

/** A folder or another kind of file with that name must not prevent the start. */
const maxFileBytes = 4 * 1024 * 1024

function read(file: string, log: Logger): UpdateHistoryEntry[] {
  let text: string
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false })
    if (!stat) return []
    if (!stat.isFile() || stat.size > maxFileBytes) throw new Error('it is not a file, or it is too large')
    text = fs.readFileSync(file, 'utf8')
  } catch (error) {
    log.warn(`The history of updates (${file}) cannot be read: ${(error as Error).message}`)
    return []
  }
  const lines = text.split('\n').filter((line) => line !== '')
  const entries = lines.flatMap(entryOf)
  if (entries.length < lines.length)
    log.warn(
      `${lines.length - entries.length} lines of the history of updates (${file}) cannot be read; they are skipped.`,
    )
  return entries.toReversed().slice(0, updateHistoryLimit)
}

function entryOf(line: string): UpdateHistoryEntry[] {
  try {
    const { success, data } = UpdateHistoryEntry.safeParse(JSON.parse(line))
    return success ? [data] : []
  } catch {
    return []
  }
}
