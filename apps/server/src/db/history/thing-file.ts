import type { RecordKind } from '@pulse/contract'
import type { DatabaseSync } from 'node:sqlite'
import { transaction } from './transaction.ts'
import type { Identity, ThingChange } from './messages.ts'

const schema = `
  CREATE TABLE IF NOT EXISTS things (
    kind TEXT NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL, alias TEXT NOT NULL, mark TEXT NOT NULL,
    began_at INTEGER NOT NULL, gone_at INTEGER,
    PRIMARY KEY (kind, number)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS things_by_id ON things (kind, id, number);
  CREATE INDEX IF NOT EXISTS things_by_alias ON things (kind, alias, number);
  CREATE INDEX IF NOT EXISTS things_by_end ON things (gone_at) WHERE gone_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS former_ids (
    kind TEXT NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL, until INTEGER NOT NULL,
    PRIMARY KEY (kind, id, number)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS next_numbers (kind TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
`

/** A thing that existed for less is forgotten with its minutes. Containers of jobs would fill the file. */
const shortLifeMs = 86_400_000
/** Rows removed per step. */
const rowsPerStep = 1_000

export interface ThingFile {
  /** Applies the changes, then returns the numbers of what is wanted, in that order. All or nothing. */
  identify(at: number, changes: readonly ThingChange[], wanted: readonly Identity[]): number[]
  /** The number of each id; of several things that had the id, that of the newest. */
  find(kind: RecordKind, ids: readonly string[]): (number | undefined)[]
  /** The number of what had the id at that time. */
  at(kind: RecordKind, id: string, moment: number): number | undefined
  /** Removes short-lived things that ended before that time, in steps. */
  prune(endedBefore: number): Generator<void, void>
}

/**
 * The numbers of things. A record that returns under the same id, or the same id in a connection of the same
 * name, continues its line, unless it has another mark. The file knows which numbers are in use, so that
 * two records never share one.
 */
export function openThings(db: DatabaseSync): ThingFile {
  db.exec(schema)
  const byId = db.prepare('SELECT * FROM things WHERE kind = ? AND id = ? ORDER BY number DESC LIMIT 1')
  // One question for all: a page asks for thousands.
  const newest = db.prepare(
    `SELECT (
       SELECT number FROM things WHERE kind = ?1 AND id = asked.value ORDER BY number DESC LIMIT 1
     ) AS number FROM json_each(?2) AS asked ORDER BY asked.key`,
  )
  // SQLite would search the primary key, and so all things of the kind.
  const byMoment = db.prepare(
    `SELECT number FROM things INDEXED BY things_by_id WHERE kind = ? AND id = ? AND (gone_at IS NULL OR gone_at > ?)
     ORDER BY gone_at IS NULL, gone_at LIMIT 1`,
  )
  const byFormer = db.prepare(
    'SELECT number FROM former_ids WHERE kind = ? AND id = ? AND until > ? ORDER BY until LIMIT 1',
  )
  const byAlias = db.prepare('SELECT * FROM things WHERE kind = ? AND alias = ? ORDER BY number DESC LIMIT 1')
  const next = db.prepare(
    `INSERT INTO next_numbers (kind, number) VALUES (?, 0)
     ON CONFLICT (kind) DO UPDATE SET number = number + 1 RETURNING number`,
  )
  const add = db.prepare(
    'INSERT INTO things (kind, number, id, alias, mark, began_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const resume = db.prepare(
    'UPDATE things SET id = ?, alias = ?, gone_at = NULL WHERE kind = ? AND number = ?',
  )
  const rename = db.prepare('UPDATE things SET mark = ? WHERE kind = ? AND number = ?')
  const keepFormer = db.prepare(
    'INSERT OR REPLACE INTO former_ids (kind, id, number, until) VALUES (?, ?, ?, ?)',
  )
  const forgetFormer = db.prepare('DELETE FROM former_ids WHERE until < ?')
  const replace = db.prepare(
    'UPDATE things SET gone_at = $at WHERE kind = $kind AND id = $id AND (gone_at IS NULL OR gone_at > $at)',
  )
  const end = db.prepare('UPDATE things SET gone_at = ? WHERE kind = ? AND number = ?')
  const removeSome = db.prepare(
    `DELETE FROM things WHERE (kind, number) IN (
       SELECT kind, number FROM things WHERE gone_at < ? AND gone_at - began_at < ? LIMIT ?)`,
  )
  /** of records that exist, since the file was opened */
  let used = new Set<string>()

  function numberOf(at: number, { kind, id, alias, mark }: Identity, taken: Set<string>): number {
    const keyOf = (number: unknown) => `${kind} ${String(number)}`
    const known = [byId.get(kind, id), byAlias.get(kind, alias)].find(
      (row) => row && row['mark'] === mark && !taken.has(keyOf(row['number'])),
    )
    const number = Number(known?.['number'] ?? next.get(kind)!['number'])
    if (!known) {
      // What had the id went while Pulse was off, or by a clock that was ahead.
      replace.run({ at, kind, id })
      add.run(kind, number, id, alias, mark, at)
    } else if (known['id'] !== id || known['gone_at'] !== null) {
      if (known['id'] !== id) keepFormer.run(kind, known['id']!, number, at)
      resume.run(id, alias, kind, number)
    }
    taken.add(keyOf(number))
    return number
  }

  return {
    identify(at, changes, wanted) {
      const taken = new Set(used)
      const numbers = transaction(db, () => {
        for (const { kind, number, mark, goneAt } of changes) {
          if (mark !== undefined) rename.run(mark, kind, number)
          if (goneAt === undefined) continue
          end.run(goneAt, kind, number)
          taken.delete(`${kind} ${number}`)
        }
        return wanted.map((one) => numberOf(at, one, taken))
      })
      used = taken
      return numbers
    },
    find: (kind, ids) =>
      newest
        // as SQLite stores it
        .all(kind, JSON.stringify(ids.map((id) => id.toWellFormed())))
        .map(({ number }) => (number === null ? undefined : Number(number))),
    at(kind, id, moment) {
      const row = byMoment.get(kind, id, moment) ?? byFormer.get(kind, id, moment)
      return row && Number(row['number'])
    },
    *prune(endedBefore) {
      forgetFormer.run(endedBefore)
      while (Number(removeSome.run(endedBefore, shortLifeMs, rowsPerStep).changes) === rowsPerStep) yield
    },
  }
}
