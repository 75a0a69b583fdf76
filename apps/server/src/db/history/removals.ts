import { type Block, blockMs, type Tier, tiers } from '@pulse/domain'
import type { DatabaseSync } from 'node:sqlite'

const schema = `
  CREATE TABLE IF NOT EXISTS removals (tier INTEGER PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
`

/** By tier: it has lost what is older; ms since 1970. Only of tiers that have lost anything. */
export type RemovedUntil = Partial<Record<Tier, number>>

export interface Removals {
  /** A part of the block is gone; within its transaction. */
  note(block: Pick<Block, 'tier' | 'start'>): void
}

/** A tier that is kept for longer now does not have what was removed before. */
export function openRemovals(db: DatabaseSync): Removals {
  db.exec(schema)
  const write = db.prepare(
    'INSERT INTO removals (tier, until) VALUES (?, ?) ON CONFLICT (tier) DO UPDATE SET until = max(until, excluded.until)',
  )
  return {
    note: ({ tier, start }) => void write.run(tiers.indexOf(tier), start + blockMs[tier]),
  }
}

export const readRemovedUntil = (db: DatabaseSync): RemovedUntil =>
  Object.fromEntries(
    db
      .prepare('SELECT tier, until FROM removals')
      .all()
      .map(({ tier, until }) => [tiers[Number(tier)]!, Number(until)]),
  )
