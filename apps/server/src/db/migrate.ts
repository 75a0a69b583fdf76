import fs from 'node:fs'
import type { Database } from './open.ts'

// Beside this file in a checkout and beside the bundle in a release.
const migrationsDir = new URL('./migrations/', import.meta.url)

/**
 * Applies what is missing, each step in a transaction of its own with its note in schema_migrations.
 * A database of a newer version is refused: running on would damage it.
 */
export async function migrate(
  db: Database,
  nowMs: number,
  backupTo: (name: string) => string,
): Promise<void> {
  await db.run([
    {
      sql: 'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at bigint NOT NULL)',
      parameters: [],
    },
  ])
  const rows = await db.query.selectFrom('schema_migrations').select('name').orderBy('name').execute()
  const applied = rows.map((row) => row.name)
  const known = fs.readdirSync(migrationsDir).filter((name) => name.endsWith('.sql'))
  const unknown = applied.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new Error(`the database was written by a newer version (${unknown.join(', ')})`)
  }
  const missing = known.filter((name) => !applied.includes(name)).sort()
  if (missing.length > 0 && applied.length > 0) await db.backup(backupTo(missing[0]!))
  for (const name of missing) {
    const text = fs.readFileSync(new URL(name, migrationsDir), 'utf8')
    const statements = text.split(/;\s*$/m).filter((sql) => sql.trim() !== '')
    await db.run([
      ...statements.map((sql) => ({ sql, parameters: [] })),
      { sql: 'INSERT INTO schema_migrations (name, applied_at) VALUES (?, ?)', parameters: [name, nowMs] },
    ])
  }
}
