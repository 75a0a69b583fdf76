import type { NewUserInput, Role, User, UserChangeInput } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import type { UserRow } from '../db/schema.ts'
import type { UserStore } from '../db/users.ts'
import { createMutex } from '../timing/concurrency.ts'
import { accountKey } from './account-key.ts'
import { createFixedUsers, type DeclaredUser, type EnvironmentUser } from './fixed-users.ts'
import { isBcrypt, type Passwords } from './password.ts'
import { hasPassword, nameFields, newUserRow, toUser } from './user-rows.ts'

/** A user as single sign-on reports it. */
export interface OidcPerson {
  issuer: string
  subject: string
  name: string
  role: Role
}

export interface Users {
  start(environment: EnvironmentUser | undefined, declared?: readonly DeclaredUser[]): Promise<void>
  get(id: string): UserRow | undefined
  list(): User[]
  /** by any spelling of the name; only accounts with a password */
  findLocal(name: string): UserRow | undefined
  /** names of the accounts with a password, in alphabetical order */
  localNames(): string[]
  /** undefined when name or password is wrong; takes equally long in both cases */
  verify(name: string, password: string): Promise<UserRow | undefined>
  signedIn(id: string): Promise<void>
  signedInByOidc(person: OidcPerson): Promise<UserRow>
  add(input: NewUserInput): Promise<User>
  change(id: string, input: UserChangeInput): Promise<User>
  /** Sets a new password, and a new name if given; ends the user's sessions. */
  setPassword(id: string, password: string, name?: string): Promise<void>
  remove(id: string): Promise<User>
  environmentUser(): UserRow | undefined
  /** No account changes while `job` runs. */
  runExclusive<T>(job: () => Promise<T>): Promise<T>
  /** Reads the stored users again after a write by another process. */
  reload(): Promise<void>
}

export interface UserEdges {
  store: UserStore
  passwords: Passwords
  clock: Clock
  /** the store has removed the user's sessions */
  onSessionsEnded: (userId: string) => void
  onWrite: () => void
}

/** Accounts of a file are created within a millisecond; their names keep the order over a restart. */
const byAge = (a: UserRow, b: UserRow) => a.created_at - b.created_at || (a.name_key < b.name_key ? -1 : 1)

/** The limit of an export. It also keeps a provider that invents users from filling the disk. */
export const maxUsers = 1_000

export function createUsers({ store, passwords, clock, onSessionsEnded, onWrite }: UserEdges): Users {
  const users = new Map<string, UserRow>()
  const declaredKeys = new Set<string>()
  /** Serializes changes, so that the checks below still hold when the writes happen. */
  const runExclusive = createMutex()

  const all = () => [...users.values()]
  const findLocal = (name: string) => {
    const key = accountKey(name)
    return all().find((row) => hasPassword(row) && row.name_key === key)
  }

  async function insert(row: UserRow) {
    if (users.size >= maxUsers) {
      throw new AppError(
        'conflict',
        `There are ${maxUsers} accounts, which is the limit. Remove some of them first.`,
      )
    }
    await store.insert(row)
    users.set(row.id, row)
    onWrite()
  }

  async function update(row: UserRow, endSessions = false) {
    await store.update(row, { endSessions })
    users.set(row.id, row)
    onWrite()
    if (endSessions) onSessionsEnded(row.id)
  }

  function get(id: string): UserRow {
    const row = users.get(id)
    if (!row) throw new AppError('not_found', 'There is no such user.')
    return row
  }

  const isDeclared = (row: UserRow) => hasPassword(row) && declaredKeys.has(row.name_key)

  function refuseFixed(row: UserRow) {
    if (isDeclared(row)) {
      throw new AppError(
        'locked_by_environment',
        `The account ${row.name} is fixed by pulse.yaml. Change it there and restart Pulse.`,
      )
    }
    if (row.source !== 'environment') return
    throw new AppError(
      'locked_by_environment',
      `The account ${row.name} is fixed by PULSE_AUTH_USER and PULSE_AUTH_PASS. Change it there and restart Pulse.`,
    )
  }

  /** At least one administrator must have a password; otherwise only the console could restore access. */
  function refuseLastAdministrator(row: UserRow) {
    const others = all().filter(
      (other) => other.id !== row.id && hasPassword(other) && other.role === 'admin',
    )
    if (row.role !== 'admin' || !hasPassword(row) || others.length > 0) return
    throw new AppError('last_administrator', `${row.name} is the last administrator with a password.`)
  }

  const fixed = createFixedUsers({
    passwords,
    clock,
    all,
    findLocal,
    insert,
    update,
    drop: ({ id }) => store.remove(id).then(() => void users.delete(id)),
  })

  async function verify(name: string, password: string): Promise<UserRow | undefined> {
    const row = findLocal(name)
    const matches = await passwords.verify(password, row?.password_hash)
    if (!row || !matches) return undefined
    const current = isBcrypt(row.password_hash ?? '') ? await rehash(row, password) : unchanged(row)
    // The account changed while the hash was computed, so the password is checked against the new state.
    return current ?? verify(name, password)
  }

  function unchanged({ id, password_hash }: UserRow): UserRow | undefined {
    const now = users.get(id)
    return now?.password_hash === password_hash ? now : undefined
  }

  async function rehash(row: UserRow, password: string): Promise<UserRow | undefined> {
    const password_hash = await passwords.hash(password)
    return runExclusive(async () => {
      const now = unchanged(row)
      if (!now) return undefined
      const rehashed = { ...now, password_hash }
      await update(rehashed)
      return rehashed
    })
  }

  async function reload() {
    const rows = await store.all()
    users.clear()
    for (const row of rows) users.set(row.id, row)
  }

  return {
    runExclusive,
    reload,
    async start(environment, declared = []) {
      await reload()
      if (environment) await fixed.applyEnvironment(environment)
      else {
        // The environment no longer defines the account. It becomes an ordinary account with the same
        // password.
        for (const row of all()) if (row.source === 'environment') await update({ ...row, source: 'local' })
      }
      for (const user of declared) {
        declaredKeys.add(accountKey(user.name))
        await fixed.applyDeclared(user)
      }
    },
    get: (id) => users.get(id),
    list: () =>
      all()
        .toSorted(byAge)
        .map((row) => ({ ...toUser(row), ...(isDeclared(row) ? { managed: true } : {}) })),
    findLocal,
    localNames: () =>
      all()
        .filter(hasPassword)
        .map(({ name }) => name)
        .toSorted(),
    verify,
    signedIn: (id) => runExclusive(() => update({ ...get(id), last_login_at: clock.now() })),
    signedInByOidc: ({ issuer, subject, name, role }) =>
      runExclusive(async () => {
        const known = all().find((row) => row.issuer === issuer && row.subject === subject)
        const now = { name, name_key: accountKey(name), role, last_login_at: clock.now() }
        if (known) {
          const row = { ...known, ...now }
          await update(row, known.role !== role)
          return row
        }
        const row = newUserRow(name, role, clock.now(), { source: 'oidc', issuer, subject, ...now })
        await insert(row)
        return row
      }),
    add: ({ name, password, role }) =>
      runExclusive(async () => {
        if (accountKey(name) === '') throw new AppError('validation_failed', 'name: Enter a name.')
        if (findLocal(name)) throw new AppError('duplicate_name', `A user named "${name}" exists already.`)
        const password_hash = await passwords.hash(password)
        const now = clock.now()
        const row = newUserRow(name, role, now, { password_hash, password_changed_at: now })
        await insert(row)
        return toUser(row)
      }),
    change: (id, { role, password }) =>
      runExclusive(async () => {
        const row = get(id)
        refuseFixed(row)
        if (row.source === 'oidc') {
          throw new AppError(
            'conflict',
            `${row.name} signs in by single sign-on: role and password come from there.`,
          )
        }
        if (role === 'viewer') refuseLastAdministrator(row)
        const secret = password
          ? {
              password_hash: await passwords.hash(password),
              environment_hash: null,
              password_changed_at: clock.now(),
            }
          : {}
        const changed = { ...row, ...(role ? { role } : {}), ...secret }
        await update(changed, password !== undefined || changed.role !== row.role)
        return toUser(changed)
      }),
    setPassword: (id, password, name) =>
      runExclusive(async () => {
        const row = get(id)
        refuseFixed(row)
        const clash = name === undefined ? undefined : findLocal(name)
        if (clash && clash.id !== id)
          throw new AppError('duplicate_name', `A user named "${name}" exists already.`)
        const password_hash = await passwords.hash(password)
        const renamed = name === undefined ? {} : nameFields(name)
        await update(
          { ...row, ...renamed, password_hash, environment_hash: null, password_changed_at: clock.now() },
          true,
        )
      }),
    remove: (id) =>
      runExclusive(async () => {
        const row = get(id)
        refuseFixed(row)
        refuseLastAdministrator(row)
        await store.remove(id)
        users.delete(id)
        onWrite()
        onSessionsEnded(id)
        return toUser(row)
      }),
    environmentUser: () => all().find((row) => row.source === 'environment'),
  }
}
