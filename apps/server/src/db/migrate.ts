import fs from 'node:fs'
import type { Database, Maintenance } from './database.ts'

// Next to this file in a checkout, and next to the bundle in a release.
const migrationsDir = new URL('./migrations/', import.meta.url)

export const knownMigrations = (): string[] =>
  fs
    .readdirSync(migrationsDir)
    .filter((name) => name.endsWith('.sql'))
    .sort()

export const migrationText = (name: string): string => fs.readFileSync(new URL(name, migrationsDir), 'utf8')

/**
 * Applies missing migrations, each in its own transaction with its entry in schema_migrations. A database of
 * a newer version was refused before, because running on it would damage it.
 */
export async function migrate(
  { db, maintenance }: { db: Database; maintenance: Maintenance },
  nowMs: number,
  backupTo: (name: string) => string,
): Promise<void> {
  await maintenance.run([
    {
      sql: 'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at bigint NOT NULL)',
      parameters: [],
    },
  ])
  const rows = await db.query.selectFrom('schema_migrations').select('name').execute()
  const applied = rows.map((row) => row.name)
  const missing = knownMigrations().filter((name) => !applied.includes(name))
  if (missing.length > 0 && applied.length > 0) await maintenance.backup(backupTo(missing[0]!))
  for (const name of missing) {
    const statements = migrationText(name)
      .split(/;\s*$/m)
      .filter((sql) => sql.trim() !== '')
    await maintenance.run([
      ...statements.map((sql) => ({ sql, parameters: [] })),
      { sql: 'INSERT INTO schema_migrations (name, applied_at) VALUES (?, ?)', parameters: [name, nowMs] },
    ])
  }
}
