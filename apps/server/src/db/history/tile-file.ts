import type { Block, Finished, TileStorage, Tier, TilePlace } from '@pulse/domain'
import { decodeNumbers, encodeNumbers, tiers } from '@pulse/domain'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Blobs, createBlobs, packed } from './blobs.ts'
import { openBlockSizes } from './block-sizes.ts'
import { openRemovals } from './removals.ts'
import { transaction } from './transaction.ts'

/**
 * Ids instead of names: a large estate has millions of tiles. The tables are internal to the file and not
 * part of any export.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS segments (id INTEGER PRIMARY KEY AUTOINCREMENT, body BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS tiles (
    tier INTEGER NOT NULL, start INTEGER NOT NULL, part INTEGER NOT NULL,
    field INTEGER NOT NULL, grp INTEGER NOT NULL, body BLOB NOT NULL,
    UNIQUE (tier, field, grp, start, part)
  );
  CREATE INDEX IF NOT EXISTS tiles_by_block ON tiles (tier, start, part, field, grp);
  CREATE TABLE IF NOT EXISTS blocks (
    tier INTEGER NOT NULL, start INTEGER NOT NULL, part INTEGER NOT NULL, times BLOB NOT NULL,
    PRIMARY KEY (tier, start, part)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS dirty_days (day INTEGER PRIMARY KEY);
`

/** The metric history in tables of a database file. What cannot be read is a gap. */
export function openTileFile(
  db: DatabaseSync,
  { unpacked }: Pick<Blobs, 'unpacked'> = createBlobs(),
): TileStorage {
  db.exec(schema)
  const sizes = openBlockSizes(db)
  const removals = openRemovals(db)
  const prepared = new Map<string, StatementSync>()
  const sql = (text: string) => {
    const known = prepared.get(text) ?? db.prepare(text)
    prepared.set(text, known)
    return known
  }
  const numberOf = (tier: Tier) => tiers.indexOf(tier)

  return {
    putSegment: (bytes) =>
      Number(sql('INSERT INTO segments (body) VALUES (?)').run(packed(bytes)).lastInsertRowid),
    *segments() {
      const lost: number[] = []
      for (const { id, body } of sql('SELECT id, body FROM segments ORDER BY id').iterate()) {
        const bytes = unpacked(body)
        if (bytes) yield { id: Number(id), bytes: new Uint8Array(bytes) }
        else lost.push(Number(id))
      }
      for (const id of lost) sql('DELETE FROM segments WHERE id = ?').run(id)
    },
    putTile({ tier, field, group, start, part }: TilePlace, bytes) {
      const key = [numberOf(tier), field, group, start, part] as const
      const before = sql(
        'SELECT length(body) AS bytes FROM tiles WHERE tier = ? AND field = ? AND grp = ? AND start = ? AND part = ?',
      ).get(...key)
      const body = packed(bytes)
      sql(
        `INSERT INTO tiles (tier, field, grp, start, part, body) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (tier, field, grp, start, part) DO UPDATE SET body = excluded.body`,
      ).run(...key, body)
      sizes.put({ tier, start, part }, `${field} ${group}`, body.length, before && Number(before['bytes']))
    },
    tile({ tier, field, group, start, part }) {
      const row = sql(
        'SELECT body FROM tiles WHERE tier = ? AND field = ? AND grp = ? AND start = ? AND part = ?',
      ).get(numberOf(tier), field, group, start, part)
      return row && unpacked(row['body'])
    },
    groups: ({ tier, start, part, field }) =>
      sql('SELECT grp FROM tiles WHERE tier = ? AND start = ? AND part = ? AND field = ?')
        .all(numberOf(tier), start, part, field)
        .map(({ grp }) => Number(grp)),
    fields: ({ tier, start, part }) =>
      sql('SELECT DISTINCT field FROM tiles WHERE tier = ? AND start = ? AND part = ?')
        .all(numberOf(tier), start, part)
        .map(({ field }) => Number(field)),
    finish({ blocks = [], segments = [], dirty = [], clean = [] }: Finished) {
      transaction(db, () => {
        for (const { tier, start, part, times } of blocks)
          sql('INSERT OR REPLACE INTO blocks (tier, start, part, times) VALUES (?, ?, ?, ?)').run(
            numberOf(tier),
            start,
            part,
            packed(encodeNumbers(times)),
          )
        for (const block of blocks) sizes.store(block, clean)
        for (const id of segments) sql('DELETE FROM segments WHERE id = ?').run(id)
        for (const day of dirty) sql('INSERT OR IGNORE INTO dirty_days (day) VALUES (?)').run(day)
        for (const day of clean) sql('DELETE FROM dirty_days WHERE day = ?').run(day)
      })
    },
    blocks: (): Block[] =>
      sql('SELECT tier, start, part, times FROM blocks ORDER BY tier, start, part')
        .all()
        .map(({ tier, start, part, times }) => ({
          tier: tiers[Number(tier)]!,
          start: Number(start),
          part: Number(part),
          times: timesIn(unpacked(times)),
        })),
    dirtyDays: () =>
      sql('SELECT day FROM dirty_days')
        .all()
        .map(({ day }) => Number(day)),
    drop({ tier, start, part }, most) {
      const key = [numberOf(tier), start, part] as const
      let isLast = false
      transaction(db, () => {
        const { changes } = sql(
          `DELETE FROM tiles WHERE rowid IN (
             SELECT rowid FROM tiles WHERE tier = ? AND start = ? AND part = ? LIMIT ?)`,
        ).run(...key, most)
        isLast = Number(changes) < most
        removals.note({ tier, start })
        for (const table of isLast ? ['blocks', 'block_sizes'] : [])
          sql(`DELETE FROM ${table} WHERE tier = ? AND start = ? AND part = ?`).run(...key)
      })
      return isLast
    },
  }
}

const timesIn = (bytes: Uint8Array | undefined) => (bytes ? decodeNumbers(bytes) : [])
