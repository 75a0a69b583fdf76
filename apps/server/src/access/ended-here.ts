import { safeText } from '../auth/audit.ts'
import type { Database } from '../db/database.ts'

const events = {
  user: { one: 'user_removed', all: [] },
  token: { one: 'token_revoked', all: ['tokens_replaced', 'credentials_rotated'] },
} as const

/**
 * Whether this installation has ended the account or token after its creation, according to the audit log. An
 * old export must not restore what was revoked.
 */
export async function wasEndedHere(
  db: Database,
  what: 'user' | 'token',
): Promise<(made: { name: string; createdAt: number }) => boolean> {
  const { one, all } = events[what]
  const rows = await db.query
    .selectFrom('audit')
    .select((s) => ['event', 'target', s.fn.max('at').as('at')])
    .where('event', 'in', [one, ...all])
    .where('success', '=', 1)
    .groupBy(['event', 'target'])
    .execute()
  const endedAt = new Map(rows.filter((row) => row.event === one).map((row) => [row.target, row.at]))
  const allEndedAt = Math.max(...rows.filter((row) => row.event !== one).map((row) => row.at), -1)
  return ({ name, createdAt }) => allEndedAt > createdAt || (endedAt.get(safeText(name)) ?? -1) > createdAt
}
