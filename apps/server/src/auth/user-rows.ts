import { Role, type User } from '@pulse/contract'
import { randomUUID } from 'node:crypto'
import type { UserRow } from '../db/schema.ts'
import { accountKey } from './account-key.ts'

export const newUserRow = (
  name: string,
  role: Role,
  nowMs: number,
  rest: Partial<UserRow> = {},
): UserRow => ({
  id: randomUUID(),
  source: 'local',
  ...nameFields(name),
  issuer: null,
  subject: null,
  role,
  password_hash: null,
  environment_hash: null,
  password_changed_at: null,
  created_at: nowMs,
  last_login_at: null,
  ...rest,
})

export const nameFields = (name: string) => ({
  name: name.normalize('NFC').trim(),
  name_key: accountKey(name),
})

/** Single sign-on accounts have no password. */
export const hasPassword = (row: UserRow) => row.source !== 'oidc'

export const toUser = (row: UserRow): User => ({
  id: row.id,
  name: row.name,
  role: Role.parse(row.role),
  source: row.source === 'oidc' ? 'oidc' : row.source === 'environment' ? 'environment' : 'local',
  createdAt: new Date(row.created_at).toISOString(),
  ...(row.last_login_at === null ? {} : { lastLoginAt: new Date(row.last_login_at).toISOString() }),
})
