import { RetentionClock } from '@pulse/domain'
import type { DatabaseSync } from 'node:sqlite'

const schema = `
  CREATE TABLE IF NOT EXISTS retention (id INTEGER PRIMARY KEY CHECK (id = 0), trusted_at INTEGER NOT NULL);
`
/** A machine without a battery starts in 1970. No wall clock is right before this. */
const earliest = Date.UTC(2026, 0, 1)
/** Between two writes. Less progress than this may be lost by a kill. */
const storeMs = 3_600_000

export interface Retention {
  /** The time that decides what is too old. */
  now(wall: number, monotonic: number): number
  /** Stores how far that time has come, once an hour. */
  save(): void
}

export function openRetention(db: DatabaseSync): Retention {
  db.exec(schema)
  const row = db.prepare('SELECT trusted_at FROM retention').get()
  const write = db.prepare('INSERT OR REPLACE INTO retention (id, trusted_at) VALUES (0, ?)')
  let stored = row && Number(row['trusted_at'])
  let retention: RetentionClock | undefined
  return {
    now(wall, monotonic) {
      retention ??= new RetentionClock(stored ?? Math.max(wall, earliest), monotonic)
      return retention.now(wall, monotonic)
    },
    save() {
      if (!retention || (stored !== undefined && retention.trusted - stored < storeMs)) return
      write.run(retention.trusted)
      stored = retention.trusted
    },
  }
}
