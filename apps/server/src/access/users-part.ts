import { Role, UserName } from '@pulse/contract'
import * as z from 'zod/mini'
import { accountKey } from '../auth/account-key.ts'
import { isPasswordHash } from '../auth/password.ts'
import { maxUsers } from '../auth/users.ts'
import type { Database } from '../db/database.ts'
import type { UserRow } from '../db/schema.ts'
import { userStore } from '../db/users.ts'
import { wasEndedHere } from './ended-here.ts'
import { count, invalidFile, listed, part } from '../export-part.ts'

const epochMs = z.number().check(z.int(), z.minimum(0))

/** A bcrypt hash names its own cost, and every sign-in would pay it. */
const isCheapHash = (text: string) => isPasswordHash(text) && !/^\$2.\$(?:1[5-9]|[2-9])/.test(text)

const ExportedUser = z.strictObject({
  id: z.uuid(),
  name: UserName,
  role: Role,
  passwordHash: z.string().check(z.refine(isCheapHash, 'no password hash of Pulse')),
  passwordChangedAt: z.nullable(epochMs),
  createdAt: epochMs,
})
type ExportedUser = z.infer<typeof ExportedUser>

/**
 * Accounts with their own password. The environment defines its account, and single sign-on users return when
 * they sign in. Existing accounts stay exactly as they are, so that no user is locked out; removed accounts
 * stay removed.
 */
export const usersPart = (db: Database) =>
  part({
    key: 'users',
    schema: z.array(ExportedUser).check(z.maxLength(maxUsers)),
    async read() {
      const rows = await allUsers(db)
      return rows.filter((row) => row.source === 'local' && row.password_hash !== null).map(toExported)
    },
    async plan(exported) {
      refuseDuplicates(exported)
      const here = (await allUsers(db)).filter((row) => row.source !== 'oidc')
      const isHere = ({ id, name }: ExportedUser) =>
        here.some((row) => row.id === id || row.name_key === accountKey(name))
      const isEnded = await wasEndedHere(db, 'user')
      const missing = exported.filter((user) => !isHere(user))
      const ended = missing.filter(isEnded)
      const added = missing.filter((user) => !ended.includes(user))
      const notes = []
      const kept = exported.filter(isHere).map(({ name }) => name)
      if (kept.length > 0)
        notes.push(`Accounts that exist already keep their password and role: ${listed(kept)}.`)
      if (ended.length > 0) {
        notes.push(`Accounts that were removed here stay removed: ${listed(ended.map(({ name }) => name))}.`)
      }
      if (added.length > 0 && ![...here, ...added].some(({ role }) => role === 'admin')) {
        notes.push('The accounts were left out because none of them is an administrator.')
        return { summary: '', notes, queries: [] }
      }
      if (added.length > 0) notes.push(`Accounts added: ${listed(added.map(({ name }) => name))}.`)
      return {
        summary: count(added.length, 'account'),
        notes,
        accounts: added.map(({ id, name, role }) => ({ id, name, role })),
        changes: { accounts: added.map(({ name, role }) => ({ name, role })) },
        queries: added.map((user) => db.query.insertInto('users').values(toRow(user)).compile()),
      }
    },
  })

const allUsers = (db: Database) => userStore(db).all()

const toExported = (row: UserRow): ExportedUser => ({
  id: row.id,
  name: row.name,
  role: Role.parse(row.role),
  passwordHash: row.password_hash!,
  passwordChangedAt: row.password_changed_at,
  createdAt: row.created_at,
})

const toRow = ({ id, name, role, passwordHash, passwordChangedAt, createdAt }: ExportedUser): UserRow => ({
  id,
  source: 'local',
  name: name.normalize('NFC'),
  name_key: accountKey(name),
  issuer: null,
  subject: null,
  role,
  password_hash: passwordHash,
  environment_hash: null,
  password_changed_at: passwordChangedAt,
  created_at: createdAt,
  last_login_at: null,
})

function refuseDuplicates(users: readonly ExportedUser[]): void {
  const seen = new Set<string>()
  for (const [n, { id, name }] of users.entries()) {
    const key = accountKey(name)
    if (key === '') throw invalidFile(`users[${n}]`, 'the name is blank')
    for (const mark of [`id ${id}`, `name ${key}`]) {
      if (seen.has(mark)) throw invalidFile(`users[${n}]`, 'id or name appears twice')
      seen.add(mark)
    }
  }
}
