import { type NewUserInput, Role, type User, type UserChangeInput } from '@pulse/contract'
import type { Clock, Secret } from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import { AppError } from '../app-error.ts'
import type { UserRow } from '../db/schema.ts'
import type { UserStore } from '../db/users.ts'
import { accountKey } from './account-key.ts'
import { isBcrypt, isPasswordHash, type Passwords } from './password.ts'
import { oneAtATime } from '../one-at-a-time.ts'

/** The account that the environment fixes. */
export interface EnvironmentUser {
  name: string
  /** plain or a bcrypt hash */
  password: Secret
}

/** An account that pulse.yaml fixes. */
export interface DeclaredUser {
  name: string
  role: Role
  /** plain or a hash */
  password: Secret
}

/** A person as single sign-on vouches for it. */
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
  /** by any spelling of the name; accounts with a password only */
  findLocal(name: string): UserRow | undefined
  /** undefined when name or password is wrong; takes as long either way */
  verify(name: string, password: string): Promise<UserRow | undefined>
  signedIn(id: string): Promise<void>
  signedInByOidc(person: OidcPerson): Promise<UserRow>
  add(input: NewUserInput): Promise<User>
  change(id: string, input: UserChangeInput): Promise<User>
  /** New password, and a new name where one is given; ends the user's sessions. */
  setPassword(id: string, password: string, name?: string): Promise<void>
  remove(id: string): Promise<User>
  environmentUser(): UserRow | undefined
  /** Nothing changes here while `job` runs. */
  inTurn<T>(job: () => Promise<T>): Promise<T>
  /** Takes up what is stored now, after somebody else has written in turn. */
  reload(): Promise<void>
}

export interface UserEdges {
  store: UserStore
  passwords: Passwords
  clock: Clock
  /** the user's sessions are no longer in the store */
  onSessionsEnded: (userId: string) => void
  onWrite: () => void
}

/** As many as an export takes; a provider that invents people fills no disk with them. */
export const maxUsers = 1_000

export function createUsers({ store, passwords, clock, onSessionsEnded, onWrite }: UserEdges): Users {
  const users = new Map<string, UserRow>()
  const declaredKeys = new Set<string>()
  /** One change at a time, so that the checks below hold when their writes happen. */
  const inTurn = oneAtATime()

  const all = () => [...users.values()]
  const hasPassword = (row: UserRow) => row.source !== 'oidc'
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

  /** Somebody with a password must be able to administer, or the way back would be the console alone. */
  function refuseLastAdministrator(row: UserRow) {
    const others = all().filter(
      (other) => other.id !== row.id && hasPassword(other) && other.role === 'admin',
    )
    if (row.role !== 'admin' || !hasPassword(row) || others.length > 0) return
    throw new AppError('last_administrator', `${row.name} is the last administrator with a password.`)
  }

  function newRow(name: string, role: Role, rest: Partial<UserRow>): UserRow {
    return {
      id: randomUUID(),
      source: 'local',
      name: name.normalize('NFC').trim(),
      name_key: accountKey(name),
      issuer: null,
      subject: null,
      role,
      password_hash: null,
      environment_hash: null,
      password_changed_at: null,
      created_at: clock.now(),
      last_login_at: null,
      ...rest,
    }
  }

  async function verify(name: string, password: string): Promise<UserRow | undefined> {
    const row = findLocal(name)
    const matches = await passwords.verify(password, row?.password_hash)
    if (!row || !matches) return undefined
    const current = isBcrypt(row.password_hash ?? '') ? await rehash(row, password) : unchanged(row)
    // The account changed while the hash was computed: the password counts as it is now.
    return current ?? verify(name, password)
  }

  function unchanged({ id, password_hash }: UserRow): UserRow | undefined {
    const now = users.get(id)
    return now?.password_hash === password_hash ? now : undefined
  }

  async function rehash(row: UserRow, password: string): Promise<UserRow | undefined> {
    const password_hash = await passwords.hash(password)
    return inTurn(async () => {
      const now = unchanged(row)
      if (!now) return undefined
      const rehashed = { ...now, password_hash }
      await update(rehashed)
      return rehashed
    })
  }

  /** Does nothing when the same name and password were given at the last start. */
  async function applyEnvironment({ name, password }: EnvironmentUser) {
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
      ...(same
        ? {}
        : {
            password_hash: isHash ? plain : await passwords.hash(plain),
            environment_hash: isHash ? plain : null,
            password_changed_at: clock.now(),
          }),
    }
    if (!known) return insert(newRow(name, 'admin', secret))
    const clash = findLocal(name)
    if (clash && clash.id !== known.id) await store.remove(clash.id).then(() => users.delete(clash.id))
    await update(
      { ...known, name: name.normalize('NFC').trim(), name_key: accountKey(name), ...secret },
      !same,
    )
  }

  /** Does nothing when the file said the same at the last start. */
  async function applyDeclared({ name, role, password }: DeclaredUser) {
    const text = password.reveal()
    const isHash = isPasswordHash(text)
    const known = findLocal(name)
    const same =
      known &&
      (isHash
        ? known.environment_hash === text || known.password_hash === text
        : await passwords.verify(text, known.password_hash))
    const secret = same
      ? {}
      : {
          password_hash: isHash ? text : await passwords.hash(text),
          environment_hash: isHash ? text : null,
          password_changed_at: clock.now(),
        }
    declaredKeys.add(accountKey(name))
    if (!known) return insert(newRow(name, role, secret))
    if (same && known.role === role) return
    await update({ ...known, role, ...secret }, true)
  }

  async function reload() {
    const rows = await store.all()
    users.clear()
    for (const row of rows) users.set(row.id, row)
  }

  return {
    inTurn,
    reload,
    async start(environment, declared = []) {
      await reload()
      if (environment) await applyEnvironment(environment)
      else {
        // The environment no longer fixes it: an ordinary account with the same password.
        for (const row of all()) if (row.source === 'environment') await update({ ...row, source: 'local' })
      }
      for (const user of declared) await applyDeclared(user)
    },
    get: (id) => users.get(id),
    list: () => all().map((row) => ({ ...toUser(row), ...(isDeclared(row) ? { managed: true } : {}) })),
    findLocal,
    verify,
    signedIn: (id) => inTurn(() => update({ ...get(id), last_login_at: clock.now() })),
    signedInByOidc: ({ issuer, subject, name, role }) =>
      inTurn(async () => {
        const known = all().find((row) => row.issuer === issuer && row.subject === subject)
        const now = { name, name_key: accountKey(name), role, last_login_at: clock.now() }
        if (known) {
          const row = { ...known, ...now }
          await update(row, known.role !== role)
          return row
        }
        const row = newRow(name, role, { source: 'oidc', issuer, subject, ...now })
        await insert(row)
        return row
      }),
    add: ({ name, password, role }) =>
      inTurn(async () => {
        if (accountKey(name) === '') throw new AppError('validation_failed', 'name: Enter a name.')
        if (findLocal(name)) throw new AppError('duplicate_name', `A user named "${name}" exists already.`)
        const password_hash = await passwords.hash(password)
        const row = newRow(name, role, { password_hash, password_changed_at: clock.now() })
        await insert(row)
        return toUser(row)
      }),
    change: (id, { role, password }) =>
      inTurn(async () => {
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
      inTurn(async () => {
        const row = get(id)
        refuseFixed(row)
        const clash = name === undefined ? undefined : findLocal(name)
        if (clash && clash.id !== id)
          throw new AppError('duplicate_name', `A user named "${name}" exists already.`)
        const password_hash = await passwords.hash(password)
        const renamed =
          name === undefined ? {} : { name: name.normalize('NFC').trim(), name_key: accountKey(name) }
        await update(
          { ...row, ...renamed, password_hash, environment_hash: null, password_changed_at: clock.now() },
          true,
        )
      }),
    remove: (id) =>
      inTurn(async () => {
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

const toUser = (row: UserRow): User => ({
  id: row.id,
  name: row.name,
  role: Role.parse(row.role),
  source: row.source === 'oidc' ? 'oidc' : row.source === 'environment' ? 'environment' : 'local',
  createdAt: new Date(row.created_at).toISOString(),
  ...(row.last_login_at === null ? {} : { lastLoginAt: new Date(row.last_login_at).toISOString() }),
})
