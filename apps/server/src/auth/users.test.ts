import bcrypt from 'bcryptjs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { userStore } from '../db/users.ts'
import { quickDerive } from '../testing/quick-hashing.ts'
import { aGround, type Ground } from './fixtures.ts'
import { createPasswords } from './password.ts'
import { createUsers, maxUsers, type Users } from './users.ts'

const passwords = createPasswords(quickDerive)
const password = 'correct horse'
let ground: Ground
let users: Users
let ended: string[]

beforeAll(async () => {
  ground = await aGround()
})
beforeEach(async () => {
  await ground.clear()
  ended = []
  users = await started()
})
afterAll(() => ground.end())

async function started() {
  const { db, clock } = ground
  const users = createUsers({
    store: userStore(db),
    passwords,
    clock,
    onSessionsEnded: (id) => void ended.push(id),
    onWrite: () => {},
  })
  await users.start(undefined)
  return users
}

const add = (name: string, role: 'admin' | 'viewer' = 'admin') => users.add({ name, password, role })
const admins = (users: Users) => users.list().filter((user) => user.role === 'admin').length
const results = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map((r) =>
    r.status === 'fulfilled' ? 'done' : (r.reason as Error & { code: string }).code,
  )

describe('[design] accounts', () => {
  test('are listed without anything of their password, and survive a restart', async () => {
    const anna = await add('Anna')
    expect(anna).toEqual({
      id: expect.any(String),
      name: 'Anna',
      role: 'admin',
      source: 'local',
      createdAt: '2026-01-01T12:00:00.000Z',
    })
    await users.signedIn(anna.id)
    expect((await started()).list()).toEqual([{ ...anna, lastLoginAt: '2026-01-01T12:00:00.000Z' }])
  })

  test.each(['anna', 'ANNA', ' Anna ', 'Ａｎｎａ', 'An\u200bna'])(
    '[S5] "%s" is the same account: not added twice, and signs in',
    async (spelling) => {
      const { id } = await add('Anna')
      await expect(add(spelling)).rejects.toMatchObject({ code: 'duplicate_name' })
      expect(await users.verify(spelling, password)).toMatchObject({ id })
    },
  )

  test.each([' ', '\u200b', '\u0000', '\t\u00a0'])('a name of nothing (%j) is refused', async (name) => {
    await expect(add(name)).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('20 at once under one name are one', async () => {
    const done = await results(Array.from({ length: 20 }, (_, i) => add(i % 2 === 0 ? 'anna' : 'ANNA')))
    expect(done.filter((one) => one === 'done')).toHaveLength(1)
    expect(await userStore(ground.db).all()).toHaveLength(1)
  })

  test('the right password alone signs in', async () => {
    await add('anna')
    expect(await users.verify('anna', 'wrong horse')).toBeUndefined()
    expect(await users.verify('unknown', password)).toBeUndefined()
    expect(await users.verify('anna', password)).toMatchObject({ name: 'anna' })
  })

  test('[S3] a new role or password ends the sessions, an unchanged role does not', async () => {
    await add('anna')
    const { id } = await add('bert', 'viewer')
    await users.change(id, { role: 'viewer' })
    expect(ended).toEqual([])
    await users.change(id, { role: 'admin' })
    await users.change(id, { password: 'another horse' })
    await users.setPassword(id, 'a third horse', 'Bertha')
    await users.remove(id)
    expect(ended).toEqual([id, id, id, id])
  })

  test('a new password holds and the old one does not, now and after a restart', async () => {
    const { id } = await add('anna')
    await users.change(id, { password: 'another horse' })
    for (const one of [users, await started()]) {
      expect(await one.verify('anna', password)).toBeUndefined()
      expect(await one.verify('anna', 'another horse')).toMatchObject({ id })
    }
  })

  test('a new name holds and the old one does not; a taken one is refused', async () => {
    const { id } = await add('anna')
    await add('bert')
    await expect(users.setPassword(id, password, 'BERT')).rejects.toMatchObject({ code: 'duplicate_name' })
    await users.setPassword(id, password, 'ANNA')
    await users.setPassword(id, password, 'carla')
    expect(await users.verify('anna', password)).toBeUndefined()
    expect(await users.verify('Carla', password)).toMatchObject({ id, name: 'carla' })
  })

  test('no user has that id', async () => {
    for (const call of [users.change('x', {}), users.remove('x'), users.setPassword('x', password)]) {
      await expect(call).rejects.toMatchObject({ code: 'not_found' })
    }
  })
})

describe('[design] a user with a password can always administer', () => {
  test('the last administrator stays', async () => {
    const { id } = await add('anna')
    await add('bert', 'viewer')
    const person = { issuer: 'https://id.example', subject: '1', name: 'carla', role: 'admin' } as const
    await users.signedInByOidc(person)
    for (const call of [users.remove(id), users.change(id, { role: 'viewer' })]) {
      await expect(call).rejects.toMatchObject({ code: 'last_administrator' })
    }
    expect(await users.change(id, { role: 'admin', password: 'another horse' })).toMatchObject({ id })
  })

  test('50 demotions and removals of two at once leave one', async () => {
    const ids = [(await add('anna')).id, (await add('bert')).id]
    const calls = Array.from({ length: 50 }, (_, i) => {
      const id = ids[(i >> 1) % 2]!
      return i % 2 === 0 ? users.change(id, { role: 'viewer' }) : users.remove(id)
    })
    const done = await results(calls)
    expect(done).toContain('last_administrator')
    expect([admins(users), admins(await started())]).toEqual([1, 1])
  })
})

describe('changes that cross', () => {
  test('a removed account does not come back by a sign-in at the same time', async () => {
    await add('anna')
    const { id } = await add('bert')
    const calls: Promise<unknown>[] = [users.remove(id)]
    for (let i = 0; i < 20; i++) {
      calls.push(users.signedIn(id))
      await Promise.resolve()
    }
    await results(calls)
    expect(users.get(id)).toBeUndefined()
    expect(users.findLocal('bert')).toBeUndefined()
  })

  test('a sign-in does not undo a change of role', async () => {
    await add('anna')
    const { id } = await add('bert')
    const calls = Array.from({ length: 20 }, () => users.signedIn(id))
    await Promise.all([...calls.slice(10), users.change(id, { role: 'viewer' }), ...calls])
    for (const one of [users, await started()]) {
      expect(one.get(id)).toMatchObject({ role: 'viewer', last_login_at: ground.clock.now() })
    }
  })

  test('what a bcrypt hash becomes does not undo a new password', async () => {
    const { id } = await add('anna')
    const password_hash = bcrypt.hashSync(password, 4)
    await ground.db.query.updateTable('users').set({ password_hash }).execute()
    users = await started()
    await Promise.all([users.verify('anna', password), users.setPassword(id, 'another horse')])
    for (const one of [users, await started()]) {
      expect(await one.verify('anna', password)).toBeUndefined()
      expect(await one.verify('anna', 'another horse')).toMatchObject({ id })
    }
  })

  test('ten good sign-ins at once with a bcrypt hash all pass', async () => {
    await add('anna')
    await ground.db.query
      .updateTable('users')
      .set({ password_hash: bcrypt.hashSync(password, 4) })
      .execute()
    users = await started()
    const found = await Promise.all(Array.from({ length: 10 }, () => users.verify('anna', password)))
    expect(found.filter((user) => user === undefined)).toEqual([])
  })
})

describe('[S7] people of single sign-on', () => {
  const person = { issuer: 'https://id.example', subject: '1', name: 'anna', role: 'viewer' } as const

  test('are issuer and subject, never a name: not the local account of that name', async () => {
    const local = await add('anna')
    const first = await users.signedInByOidc(person)
    expect(first.id).not.toBe(local.id)
    const renamed = await users.signedInByOidc({ ...person, name: 'anna b' })
    expect(renamed).toMatchObject({ id: first.id, name: 'anna b' })
    for (const other of [{ subject: '2' }, { issuer: 'https://other.example' }]) {
      expect((await users.signedInByOidc({ ...person, ...other })).id).not.toBe(first.id)
    }
  })

  test('have no password: none signs in, and none can be set', async () => {
    const { id } = await users.signedInByOidc(person)
    for (const shown of ['', password, 'null']) expect(await users.verify('anna', shown)).toBeUndefined()
    await expect(users.change(id, { password })).rejects.toMatchObject({ code: 'conflict' })
    await expect(users.change(id, { role: 'admin' })).rejects.toMatchObject({ code: 'conflict' })
  })

  test('[S3] another role ends the sessions, the same does not', async () => {
    const { id } = await users.signedInByOidc(person)
    await users.signedInByOidc(person)
    expect(ended).toEqual([])
    await users.signedInByOidc({ ...person, role: 'admin' })
    expect(ended).toEqual([id])
  })

  test('20 first sign-ins at once make one account', async () => {
    const rows = await Promise.all(Array.from({ length: 20 }, () => users.signedInByOidc(person)))
    expect(new Set(rows.map((row) => row.id)).size).toBe(1)
    expect(await userStore(ground.db).all()).toHaveLength(1)
  })
})

test('there is a limit to accounts, for people of a provider too; those that are there go on', async () => {
  const row = (n: number) => ({
    id: `user-${n}`,
    source: 'oidc',
    name: `person ${n}`,
    name_key: `person ${n}`,
    issuer: 'https://id.example',
    subject: String(n),
    role: 'viewer',
    password_hash: null,
    environment_hash: null,
    password_changed_at: null,
    created_at: n,
    last_login_at: null,
  })
  const { query, transaction } = ground.db
  await transaction(
    Array.from({ length: maxUsers }, (_, n) => query.insertInto('users').values(row(n)).compile()),
  )
  users = await started()
  const person = { issuer: 'https://id.example', name: 'new', role: 'viewer' } as const
  await expect(users.signedInByOidc({ ...person, subject: 'new' })).rejects.toThrow(
    '1000 accounts, which is the limit',
  )
  await expect(add('anna')).rejects.toMatchObject({ code: 'conflict' })
  expect((await users.signedInByOidc({ ...person, subject: '7' })).id).toBe('user-7')
})
