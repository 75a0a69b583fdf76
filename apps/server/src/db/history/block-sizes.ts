import { type Block, blockMs, dayMs, type Tier, tiers } from '@pulse/domain'
import type { DatabaseSync } from 'node:sqlite'

const schema = `
  CREATE TABLE IF NOT EXISTS block_sizes (
    tier INTEGER NOT NULL, start INTEGER NOT NULL, part INTEGER NOT NULL, bytes INTEGER NOT NULL,
    began_at INTEGER NOT NULL, ended_at INTEGER NOT NULL,
    PRIMARY KEY (tier, start, part)
  ) WITHOUT ROWID;
`
/** A row's header and its entries in two indexes. */
const rowBytes = 100

type Place = Pick<Block, 'tier' | 'start' | 'part'>

/** What the blocks of a tier take, and the time that they cover. */
export interface TierSize {
  tier: Tier
  bytes: number
  coveredMs: number
  oldest: number
}

export interface BlockSizes {
  /** A tile of the block was written. `replaced`: the bytes of the one in its place before. */
  put(block: Place, tile: string, bytes: number, replaced: number | undefined): void
  /** The block is complete; within its transaction. `days`: those that became part of the years of days. */
  store(block: Place, days: readonly number[]): void
}

/** Counts what blocks take while they are written, because counting later would read all of the file. */
export function openBlockSizes(db: DatabaseSync): BlockSizes {
  db.exec(schema)
  const read = db.prepare('SELECT * FROM block_sizes WHERE tier = ? AND start = ? AND part = ?')
  const write = db.prepare(
    'INSERT OR REPLACE INTO block_sizes (tier, start, part, bytes, began_at, ended_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  /** by block, then by tile: work that failed in the middle writes its tiles again */
  const pending = new Map<string, Map<string, { bytes: number; replaced: number }>>()
  const keyOf = ({ tier, start, part }: Place) => `${tier} ${start} ${part}`

  return {
    put(block, tile, bytes, replaced) {
      const key = keyOf(block)
      const own = pending.get(key) ?? new Map<string, { bytes: number; replaced: number }>()
      pending.set(key, own)
      const before = replaced === undefined ? 0 : replaced + rowBytes
      own.set(tile, { bytes: bytes + rowBytes, replaced: own.get(tile)?.replaced ?? before })
    },
    store(block, days) {
      const { tier, start, part } = block
      const written = [...(pending.get(keyOf(block))?.values() ?? [])]
      pending.delete(keyOf(block))
      const sum = (of: (one: { bytes: number; replaced: number }) => number) =>
        written.reduce((all, one) => all + of(one), 0)
      const known = read.get(tiers.indexOf(tier), start, part)
      const bytes = known
        ? Number(known['bytes']) + sum((one) => one.bytes - one.replaced)
        : sum((one) => one.bytes)
      const [began, ended] = spanOf(block, days)
      write.run(
        tiers.indexOf(tier),
        start,
        part,
        bytes,
        Math.min(began, Number(known?.['began_at'] ?? began)),
        Math.max(ended, Number(known?.['ended_at'] ?? ended)),
      )
    },
  }
}

/** A block of days covers only those that were added to it. */
function spanOf({ tier, start }: Place, days: readonly number[]): [began: number, ended: number] {
  if (tier !== 'day' || days.length === 0) return [start, start + blockMs[tier]]
  return [Math.min(...days), Math.max(...days) + dayMs]
}

/** Of each tier that has blocks. One row per block is read. */
export const readTierSizes = (db: DatabaseSync): TierSize[] =>
  db
    .prepare(
      `SELECT tier, sum(bytes) AS bytes, sum(ended_at - began_at) AS covered, min(began_at) AS oldest
       FROM (
         SELECT tier, sum(bytes) AS bytes, min(began_at) AS began_at, max(ended_at) AS ended_at
         FROM block_sizes GROUP BY tier, start
       ) GROUP BY tier`,
    )
    .all()
    .map(({ tier, bytes, covered, oldest }) => ({
      tier: tiers[Number(tier)]!,
      bytes: Number(bytes),
      coveredMs: Number(covered),
      oldest: Number(oldest),
    }))
