import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'

/**
 * Tables that an administrator would miss, without the columns that change on their own and are not worth a
 * copy.
 */
const mattering: Record<string, { sort: string; except: readonly string[] }> = {
  meta: { sort: 'key', except: [] },
  connections: {
    sort: 'id',
    except: ['cluster_name', 'cluster_endpoints', 'member_fingerprints', 'updated_at'],
  },
  users: { sort: 'id', except: ['last_login_at'] },
  api_tokens: { sort: 'id', except: ['last_used_at'] },
  settings: { sort: 'key', except: ['updated_at'] },
  guest_metadata: { sort: 'guest_key', except: ['wire_id', 'updated_at'] },
  temperature_nodes: { sort: 'connection_id, node', except: [] },
}

export interface Substance {
  /** equal for two files with equal content */
  digest: string
  /** rows of each table */
  rows: Readonly<Record<string, number>>
  /** the row that only this installation's key can open */
  keyCheck: string | undefined
}

/** For a file of any version: missing tables count as empty. */
export function substanceOf(db: DatabaseSync): Substance {
  const hash = createHash('sha256')
  const rows: Record<string, number> = {}
  const tables = new Set(db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all().map(nameOf))
  for (const [table, { sort, except }] of Object.entries(mattering)) {
    rows[table] = 0
    if (!tables.has(table)) continue
    const columns = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).all().map(nameOf)
    const kept = columns.filter((name) => !except.includes(name))
    for (const row of db.prepare(`SELECT ${kept.join(', ')} FROM ${table} ORDER BY ${sort}`).iterate()) {
      rows[table]++
      hash.update(JSON.stringify([table, row]))
    }
  }
  return { digest: hash.digest('hex'), rows, keyCheck: tables.has('meta') ? keyCheckOf(db) : undefined }
}

export const keyCheckRow = 'key_check'

const keyCheckOf = (db: DatabaseSync) =>
  db.prepare('SELECT value FROM meta WHERE key = ?').get(keyCheckRow)?.['value'] as string | undefined

/** All nodes or all accounts are missing, or more than half of the rows. */
export function isMuchLess(now: Substance, before: Substance): boolean {
  const lost = ['connections', 'users'].some((table) => before.rows[table]! > 0 && now.rows[table] === 0)
  return lost || sum(now) * 2 < sum(before)
}

/** Like a database after its first start: it has a key, but nothing is sealed with it. */
export const holdsNothing = (one: Substance): boolean => sum(one) === one.rows['meta']

const sum = ({ rows }: Substance) => Object.values(rows).reduce((all, count) => all + count, 0)
const nameOf = (row: Record<string, unknown>) => String(row['name'])
