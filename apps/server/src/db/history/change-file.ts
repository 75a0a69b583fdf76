import type {
  ChangeBase,
  ChangeRow,
  ChangeStorage,
  Fields,
  LatestPlace,
  LatestRecord,
  NoticePart,
} from '@pulse/domain'
import type { RecordKind } from '@pulse/contract'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Blobs, createBlobs, packed } from './blobs.ts'
import { transaction } from './transaction.ts'

/** Row numbers are never used again, because bases and cursors name them. */
const schema = `
  CREATE TABLE IF NOT EXISTS changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL,
    size INTEGER NOT NULL, has_notices INTEGER NOT NULL, notices BLOB NOT NULL, body BLOB NOT NULL
  );
  CREATE INDEX IF NOT EXISTS changes_by_time ON changes (first_at, last_at);
  CREATE INDEX IF NOT EXISTS changes_with_notices ON changes (id, first_at, last_at) WHERE has_notices = 1;
  CREATE TABLE IF NOT EXISTS routine_notices (
    row INTEGER PRIMARY KEY, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, notices BLOB NOT NULL
  );
  CREATE TABLE IF NOT EXISTS latest_records (
    kind TEXT NOT NULL, id TEXT NOT NULL, source TEXT NOT NULL, came_at INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS bases (
    id INTEGER PRIMARY KEY, first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, at INTEGER NOT NULL,
    size INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS base_chunks (id INTEGER PRIMARY KEY, base INTEGER NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL);
  CREATE INDEX IF NOT EXISTS base_chunks_by_kind ON base_chunks (base, kind);
`

const noticesBefore: Record<NoticePart, string> = {
  notices: `
    SELECT id, notices FROM changes
    WHERE id < ? AND has_notices = 1 AND first_at < ? AND last_at >= ? ORDER BY id DESC LIMIT ?`,
  routine: `
    SELECT row AS id, notices FROM routine_notices
    WHERE row < ? AND first_at < ? AND last_at >= ? ORDER BY row DESC LIMIT ?`,
}

/** The change log in tables of a database file. What cannot be read is left out. */
export function openChangeFile(
  db: DatabaseSync,
  { unpacked }: Pick<Blobs, 'unpacked'> = createBlobs(),
): ChangeStorage {
  db.exec(schema)
  const prepared = new Map<string, StatementSync>()
  const sql = (text: string) => {
    const known = prepared.get(text) ?? db.prepare(text)
    prepared.set(text, known)
    return known
  }

  function* rows(after: number, upTo: number): Generator<Pick<ChangeRow, 'id' | 'body'>, void> {
    for (const { id, body } of sql(
      'SELECT id, body FROM changes WHERE id > ? AND id <= ? ORDER BY id',
    ).iterate(after, upTo))
      yield { id: Number(id), body: unpacked(body)?.toString() ?? '[]' }
  }

  function* chunks(base: number, kind: RecordKind): Generator<string, void> {
    const found = sql('SELECT body FROM base_chunks WHERE base = ? AND kind = ? ORDER BY id')
    for (const { body } of found.iterate(base, kind)) yield unpacked(body)?.toString() ?? '[]'
  }

  function latestAfter(place: LatestPlace | undefined, most: number): (LatestPlace & LatestRecord)[] {
    const found = sql('SELECT * FROM latest_records WHERE (kind, id) > (?, ?) ORDER BY kind, id LIMIT ?')
      .all(place?.kind ?? '', place?.id ?? '', most)
      .map((row) => ({ kind: row['kind'] as RecordKind, id: String(row['id']), record: latestFrom(row) }))
    const lost = found.filter(({ record }) => !record)
    for (const one of lost) putLatest(one, undefined)
    if (lost.length > 0) return latestAfter(place, most)
    return found.map(({ kind, id, record }) => ({ kind, id, ...record! }))
  }

  return {
    latest(kind, id) {
      const row = sql('SELECT source, came_at, body FROM latest_records WHERE kind = ? AND id = ?').get(
        kind,
        id,
      )
      return row && latestFrom(row)
    },
    latestOf: (kind) =>
      sql('SELECT id, source FROM latest_records WHERE kind = ?')
        .all(kind)
        .map(({ id, source }) => ({ id: String(id), source: String(source) })),
    latestAfter,
    write({ from, to, body, notices, routine }, latest) {
      return transaction(db, () => {
        const { lastInsertRowid: row } = sql(
          'INSERT INTO changes (first_at, last_at, size, has_notices, notices, body) VALUES (?, ?, ?, ?, ?, ?)',
        ).run(from, to, body.length, notices === '' ? 0 : 1, packed(notices), packed(body))
        if (routine !== '')
          sql('INSERT INTO routine_notices (row, first_at, last_at, notices) VALUES (?, ?, ?, ?)').run(
            row,
            from,
            to,
            packed(routine),
          )
        for (const change of latest) putLatest(...change)
        return Number(row)
      })
    },
    rowAt(at) {
      const row = sql(
        'SELECT id, last_at FROM changes WHERE id = (SELECT max(id) FROM changes WHERE first_at <= ?)',
      ).get(at === Infinity ? Number.MAX_SAFE_INTEGER : at)
      return row && { id: Number(row['id']), to: Number(row['last_at']) }
    },
    firstAt(after) {
      const at = sql('SELECT min(first_at) AS at FROM changes WHERE id > ?').get(after)!['at']
      return at === null ? undefined : Number(at)
    },
    rows,
    noticesBefore: (part, before, from, to, most) =>
      sql(noticesBefore[part])
        .all(before, to, from, most)
        .map(({ id, notices }) => ({ id: Number(id), text: unpacked(notices)?.toString() ?? '[]' })),
    lastRow: () => Number(sql(`SELECT seq FROM sqlite_sequence WHERE name = 'changes'`).get()?.['seq'] ?? 0),
    sizeAfter: (row) =>
      Number(sql('SELECT sum(size) AS size FROM changes WHERE id > ?').get(row)!['size'] ?? 0),
    putChunk: (base, kind, body) =>
      void sql('INSERT INTO base_chunks (base, kind, body) VALUES (?, ?, ?)').run(base, kind, packed(body)),
    chunks,
    finishBase: ({ id, firstRow, lastRow, at, size }) =>
      void sql('INSERT INTO bases (id, first_row, last_row, at, size) VALUES (?, ?, ?, ?, ?)').run(
        id,
        firstRow,
        lastRow,
        at,
        size,
      ),
    bases: (): ChangeBase[] =>
      sql('SELECT * FROM bases ORDER BY id')
        .all()
        .map(({ id, first_row, last_row, at, size }) => ({
          id: Number(id),
          firstRow: Number(first_row),
          lastRow: Number(last_row),
          at: Number(at),
          size: Number(size),
        })),
    dropRows(upTo, most) {
      const tables = [
        ['changes', 'id'],
        ['routine_notices', 'row'],
      ]
      const dropped = tables.map(([table, key]) =>
        Number(
          sql(
            `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${key} <= ? LIMIT ?)`,
          ).run(upTo, most).changes,
        ),
      )
      return dropped.every((changes) => changes < most)
    },
    dropBases(kept, most) {
      const list = JSON.stringify(kept)
      sql('DELETE FROM bases WHERE id NOT IN (SELECT value FROM json_each(?))').run(list)
      const { changes } = sql(
        `DELETE FROM base_chunks WHERE id IN (
           SELECT id FROM base_chunks WHERE base NOT IN (SELECT value FROM json_each(?)) LIMIT ?)`,
      ).run(list, most)
      return Number(changes) < most
    },
  }

  function putLatest({ kind, id }: LatestPlace, record: LatestRecord | undefined) {
    if (!record) {
      sql('DELETE FROM latest_records WHERE kind = ? AND id = ?').run(kind, id)
      return
    }
    const { source, cameAt, fields } = record
    sql(
      `INSERT INTO latest_records (kind, id, source, came_at, body) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (kind, id) DO UPDATE SET source = excluded.source, came_at = excluded.came_at, body = excluded.body`,
    ).run(kind, id, source, cameAt, JSON.stringify(fields))
  }
}

/** Undefined if the disk has changed it: the record is new again when it is sent. */
function latestFrom(row: Record<string, unknown>): LatestRecord | undefined {
  try {
    const fields = JSON.parse(String(row['body'])) as Fields
    return { source: String(row['source']), cameAt: Number(row['came_at']), fields }
  } catch {
    return undefined
  }
}
