import type { Role } from '@pulse/contract'
import type { Clock, Secret } from '@pulse/domain'
import type { UserRow } from '../db/schema.ts'
import { accountKey } from './account-key.ts'
import { isBcrypt, isPasswordHash, type Passwords } from './password.ts'
import { nameFields, newUserRow } from './user-rows.ts'

/** The account that the environment defines. */
export interface EnvironmentUser {
  name: string
  /** plain or a bcrypt hash */
  password: Secret
}

/** An account that pulse.yaml defines. */
export interface DeclaredUser {
  name: string
  role: Role
  /** plain or a hash */
  password: Secret
}

export interface FixedUsersEdges {
  passwords: Passwords
  clock: Clock
  all(): readonly UserRow[]
  findLocal(name: string): UserRow | undefined
  insert(row: UserRow): Promise<void>
  update(row: UserRow, endSessions: boolean): Promise<void>
  drop(row: UserRow): Promise<void>
}

/** Applies externally defined accounts. Does nothing if the values are unchanged since the last start. */
export function createFixedUsers({ passwords, clock, all, findLocal, ...users }: FixedUsersEdges) {
  const newSecret = async (text: string, isHash: boolean) => ({
    password_hash: isHash ? text : await passwords.hash(text),
    environment_hash: isHash ? text : null,
    password_changed_at: clock.now(),
  })

  return {
    async applyEnvironment({ name, password }: EnvironmentUser) {
      const plain = password.reveal()
      const known = all().find((row) => row.source === 'environment') ?? findLocal(name)
      const isHash = isBcrypt(plain)
      const same =
        known &&
        (isHash ? known.environment_hash === plain : await passwords.verify(plain, known.password_hash))
      if (same && known.source === 'environment' && known.name_key === accountKey(name)) return
      const secret = {
        source: 'environment',
        role: 'admin',
        ...(same ? {} : await newSecret(plain, isHash)),
      }
      if (!known) return users.insert(newUserRow(name, 'admin', clock.now(), secret))
      const clash = findLocal(name)
      if (clash && clash.id !== known.id) await users.drop(clash)
      await users.update({ ...known, ...nameFields(name), ...secret }, !same)
    },
    async applyDeclared({ name, role, password }: DeclaredUser) {
      const text = password.reveal()
      const isHash = isPasswordHash(text)
      const known = findLocal(name)
      const same =
        known &&
        (isHash
          ? known.environment_hash === text || known.password_hash === text
          : await passwords.verify(text, known.password_hash))
      const secret = same ? {} : await newSecret(text, isHash)
      if (!known) return users.insert(newUserRow(name, role, clock.now(), secret))
      if (same && known.role === role) return
      await users.update({ ...known, role, ...secret }, true)
    },
  }
}
