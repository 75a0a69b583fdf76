import fs from 'node:fs'
import type { Database } from './database.ts'
import type { Statement } from './messages.ts'

// Next to this file in a checkout, and next to the bundle in a release.
const migrationsDir = new URL('./migrations/', import.meta.url)

export const knownMigrations = (): string[] =>
  fs
    .readdirSync(migrationsDir)
    .filter((name) => name.endsWith('.sql'))
    .sort()

export const migrationText = (name: string): string => fs.readFileSync(new URL(name, migrationsDir), 'utf8')

export interface MigrationTarget {
  db: Pick<Database, 'query'>
  /** Runs statements in one transaction. */
  run(statements: readonly Statement[]): Promise<unknown>
  /** The column types of its dialect; default: as they are written */
  inDialect?(sql: string): string
  /** Called before the first missing migration changes a database that has data. */
  before?(missing: string): Promise<void>
}

/**
 * Applies missing migrations, each in its own transaction with its entry in schema_migrations. A database of
 * a newer version was refused before, because running on it would damage it.
 */
export async function migrate(
  { db, run, inDialect = (sql) => sql, before }: MigrationTarget,
  nowMs: number,
): Promise<void> {
  const toStatement = (sql: string): Statement => ({ sql: inDialect(sql), parameters: [] })
  await run([
    toStatement(
      'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at bigint NOT NULL)',
    ),
  ])
  const applied = await appliedMigrations(db)
  const missing = knownMigrations().filter((name) => !applied.includes(name))
  if (missing.length > 0 && applied.length > 0) await before?.(missing[0]!)
  for (const name of missing) {
    const statements = migrationText(name)
      .split(/;\s*$/m)
      .filter((sql) => sql.trim() !== '')
    const { sql, parameters } = db.query
      .insertInto('schema_migrations')
      .values({ name, applied_at: nowMs })
      .compile()
    await run([...statements.map(toStatement), { sql, parameters }])
  }
}

export async function appliedMigrations(db: Pick<Database, 'query'>): Promise<string[]> {
  const rows = await db.query.selectFrom('schema_migrations').select('name').execute()
  return rows.map(({ name }) => name)
}
