import type { RecordKind } from '@pulse/contract'
import type { IdSpan } from '@pulse/domain'
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
  CREATE INDEX IF NOT EXISTS former_ids_by_number ON former_ids (kind, number);
  CREATE TABLE IF NOT EXISTS next_numbers (kind TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
`

/** A thing that existed for less is forgotten with its minutes. Containers of jobs would fill the file. */
const shortLifeMs = 86_400_000
/** Rows removed per step. */
const rowsPerStep = 1_000

export interface ThingFile {
  /** Applies the changes, then returns the numbers of what is wanted, in that order. All or nothing. */
  identify(at: number, changes: readonly ThingChange[], wanted: readonly Identity[]): number[]
  /** The number of each id: of the last thing that came to have it before that time; without a time, of the newest. */
  find(kind: RecordKind, ids: readonly string[], before?: number): (number | undefined)[]
  /** The number of what had the id at that time. */
  at(kind: RecordKind, id: string, moment: number): number | undefined
  /** What an id of a thing meant before and after it, and when the thing ended. */
  lifeOf(kind: RecordKind, id: string, number: number): Life
  /** All ids of the thing that `find` returns, and the time in which each meant it. */
  spansOf(kind: RecordKind, id: string, before: number): IdSpan[]
  /** The id of a thing. */
  idOf(kind: RecordKind, number: number): string | undefined
  /** All ids that a thing has had, and the time in which each meant it. */
  idSpansOf(kind: RecordKind, number: number): IdSpan[]
  /** Removes short-lived things that ended before that time, in steps. */
  prune(endedBefore: number): Generator<void, void>
}

export interface Life {
  /** since when it has the id, if another thing had it before */
  since?: number
  /** until when it had the id, if another thing has had it since; exclusive */
  until?: number
  goneAt?: number
}

/** The log has the changes of a new thing up to so long before the thing has its number. */
const numberedWithinMs = 60_000

/**
 * The numbers of things. A record that returns under the same id, or the same id in a connection of the same
 * name, continues its line, unless it has another mark. The file knows which numbers are in use, so that
 * two records never share one.
 */
export function openThings(db: DatabaseSync): ThingFile {
  db.exec(schema)
  // Without a name of the index, SQLite would search the primary key, and so all things of the kind.
  const byId = db.prepare(
    'SELECT * FROM things INDEXED BY things_by_id WHERE kind = ? AND id = ? ORDER BY number DESC LIMIT 1',
  )
  // One question for all: a page asks for thousands.
  const newest = db.prepare(
    `SELECT (
       SELECT number FROM things WHERE kind = ?1 AND id = asked.value ORDER BY number DESC LIMIT 1
     ) AS number FROM json_each(?2) AS asked ORDER BY asked.key`,
  )
  // The last one may have another id now. If all came later, it is by a clock that was ahead.
  const newestBefore = db.prepare(
    `SELECT coalesce(
       nullif(max(
         coalesce((SELECT number FROM things INDEXED BY things_by_id
                   WHERE kind = ?1 AND id = asked.value AND began_at < ?3 ORDER BY number DESC LIMIT 1), -1),
         coalesce((SELECT max(number) FROM former_ids JOIN things USING (kind, number)
                   WHERE kind = ?1 AND former_ids.id = asked.value AND until >= ?3 AND began_at < ?3), -1)
       ), -1),
       (SELECT number FROM things WHERE kind = ?1 AND id = asked.value ORDER BY number DESC LIMIT 1),
       (SELECT number FROM former_ids JOIN things USING (kind, number)
        WHERE kind = ?1 AND former_ids.id = asked.value AND until >= ?3 ORDER BY until LIMIT 1)
     ) AS number FROM json_each(?2) AS asked ORDER BY asked.key`,
  )
  const neighbours = db.prepare(
    `SELECT began_at, gone_at,
       (SELECT gone_at FROM things INDEXED BY things_by_id
        WHERE kind = ?1 AND id = ?2 AND number < ?3 ORDER BY number DESC LIMIT 1) AS former_gone_at,
       EXISTS (SELECT 1 FROM things INDEXED BY things_by_id WHERE kind = ?1 AND id = ?2 AND number > ?3)
         OR EXISTS (SELECT 1 FROM former_ids WHERE kind = ?1 AND id = ?2 AND number > ?3) AS has_next
     FROM things WHERE kind = ?1 AND number = ?3`,
  )
  const idsOf = db.prepare(
    `SELECT id FROM things WHERE kind = ?1 AND number = ?2
     UNION SELECT id FROM former_ids INDEXED BY former_ids_by_number WHERE kind = ?1 AND number = ?2`,
  )
  const current = db.prepare('SELECT id FROM things WHERE kind = ? AND number = ?')
  const formerUntil = db.prepare('SELECT until FROM former_ids WHERE kind = ? AND id = ? AND number = ?')
  const byMoment = db.prepare(
    `SELECT number FROM things INDEXED BY things_by_id WHERE kind = ? AND id = ? AND (gone_at IS NULL OR gone_at > ?)
     ORDER BY gone_at IS NULL, gone_at LIMIT 1`,
  )
  const byFormer = db.prepare(
    `SELECT number FROM former_ids JOIN things USING (kind, number)
     WHERE kind = ? AND former_ids.id = ? AND until > ? ORDER BY until LIMIT 1`,
  )
  const byAlias = db.prepare(
    'SELECT * FROM things INDEXED BY things_by_alias WHERE kind = ? AND alias = ? ORDER BY number DESC LIMIT 1',
  )
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
    `UPDATE things INDEXED BY things_by_id SET gone_at = $at
     WHERE kind = $kind AND id = $id AND (gone_at IS NULL OR gone_at > $at)`,
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

  function find(kind: RecordKind, ids: readonly string[], before?: number): (number | undefined)[] {
    // as SQLite stores it
    const asked = JSON.stringify(ids.map((id) => id.toWellFormed()))
    const rows = before === undefined ? newest.all(kind, asked) : newestBefore.all(kind, asked, before)
    return rows.map(({ number }) => (number === null ? undefined : Number(number)))
  }

  function spanOf(kind: RecordKind, id: string, number: number): IdSpan {
    const row = neighbours.get(kind, id, number)!
    const beganAt = Number(row['began_at'])
    const goneAt = row['gone_at'] ?? Infinity
    const formerGoneAt = row['former_gone_at'] ?? -Infinity
    return {
      id,
      // If it took the place of the former one, the log knew it before it had its number.
      from: Number(formerGoneAt) < beganAt ? Number(formerGoneAt) + 1 : beganAt - numberedWithinMs,
      to: row['has_next'] === 1 ? Number(goneAt) + 1 : Infinity,
    }
  }

  function idOf(kind: RecordKind, number: number): string | undefined {
    const row = current.get(kind, number)
    return row && String(row['id'])
  }

  function lifeOf(kind: RecordKind, id: string, number: number): Life {
    const row = neighbours.get(kind, id, number)!
    const { from, to } = spanOf(kind, id, number)
    return {
      ...(row['former_gone_at'] !== null && { since: from }),
      ...(to !== Infinity && { until: to }),
      ...(row['gone_at'] !== null && { goneAt: Number(row['gone_at']) }),
    }
  }

  return {
    lifeOf,
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
    find,
    at(kind, id, moment) {
      const row = byMoment.get(kind, id, moment) ?? byFormer.get(kind, id, moment)
      return row && Number(row['number'])
    },
    spansOf(kind, id, before) {
      const [number] = find(kind, [id], before)
      if (number === undefined) return [{ id, from: -Infinity, to: Infinity }]
      return idsOf.all(kind, number).map((row) => spanOf(kind, String(row['id']), number))
    },
    idOf,
    idSpansOf(kind, number) {
      const own = idOf(kind, number)
      return idsOf.all(kind, number).map((row) => {
        const span = spanOf(kind, String(row['id']), number)
        if (span.id === own) return span
        const until = Number(formerUntil.get(kind, span.id, number)?.['until'] ?? Infinity)
        return { ...span, to: Math.min(span.to, until) }
      })
    },
    *prune(endedBefore) {
      forgetFormer.run(endedBefore)
      while (Number(removeSome.run(endedBefore, shortLifeMs, rowsPerStep).changes) === rowsPerStep) yield
    },
  }
}
