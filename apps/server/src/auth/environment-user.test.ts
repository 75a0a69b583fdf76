import { Secret } from '@pulse/domain'
import bcrypt from 'bcryptjs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sessionStore } from '../db/sessions.ts'
import { userStore } from '../db/users.ts'
import { quickDerive } from '../testing/quick-hashing.ts'
import { aCaller, aGround, type Ground } from './fixtures.ts'
import { createPasswords } from './password.ts'
import { createSessions } from './sessions.ts'
import { createUsers, type Users } from './users.ts'

const passwords = createPasswords(quickDerive)
let ground: Ground

beforeAll(async () => {
  ground = await aGround()
})
beforeEach(() => ground.clear())
afterAll(() => ground.end())

const sessions = () => createSessions({ ...ground, store: sessionStore(ground.db), onEnded: () => {} })

/** Starts the server with these variables. */
async function start(name?: string, password?: string): Promise<Users> {
  const { db, clock } = ground
  const edges = { onSessionsEnded: () => {}, onWrite: () => {} }
  const users = createUsers({ store: userStore(db), passwords, clock, ...edges })
  await users.start(name === undefined ? undefined : { name, password: new Secret(password!) })
  return users
}

const row = async () => {
  const [row, ...more] = await userStore(ground.db).all()
  expect(more).toEqual([])
  return row!
}
const signIn = async ({ id }: { id: string }) => void (await sessions().create(id, 'session', aCaller()))
const sessionCount = async () => (await sessionStore(ground.db).all()).length

describe('[facts/platform 11] PULSE_AUTH_USER and PULSE_AUTH_PASS', () => {
  test('make an administrator, whose password is hashed', async () => {
    const users = await start('admin', 'correct horse')
    expect(users.list()).toMatchObject([{ name: 'admin', role: 'admin', source: 'environment' }])
    expect(users.environmentUser()).toMatchObject({ name: 'admin' })
    expect((await row()).password_hash).toMatch(/^\$argon2id\$/)
    expect(await users.verify('Admin', 'correct horse')).toBeDefined()
  })

  test('the same again change nothing and keep the sessions', async () => {
    await start('admin', 'correct horse')
    const before = await row()
    await signIn(before)
    await start('admin', 'correct horse')
    expect([await row(), await sessionCount()]).toEqual([before, 1])
  })

  test('[S3] another password ends the sessions', async () => {
    await start('admin', 'correct horse')
    const before = await row()
    await signIn(before)
    const users = await start('admin', 'another horse')
    expect((await row()).id).toBe(before.id)
    expect(await sessionCount()).toBe(0)
    expect(await users.verify('admin', 'correct horse')).toBeUndefined()
    expect(await users.verify('admin', 'another horse')).toBeDefined()
  })

  test('another name is the same account, and keeps its sessions', async () => {
    await start('admin', 'correct horse')
    const before = await row()
    await signIn(before)
    const users = await start('root', 'correct horse')
    expect(await row()).toMatchObject({ id: before.id, name: 'root', password_hash: before.password_hash })
    expect(await sessionCount()).toBe(1)
    expect(await users.verify('admin', 'correct horse')).toBeUndefined()
    expect(await users.verify('root', 'correct horse')).toBeDefined()
  })

  test('take over the local account of that name, as an administrator', async () => {
    const local = await (await start()).add({ name: 'Admin', password: 'correct horse', role: 'viewer' })
    await signIn(local)
    await start('admin', 'correct horse')
    expect(await row()).toMatchObject({ id: local.id, source: 'environment', role: 'admin', name: 'admin' })
    expect(await sessionCount()).toBe(1)
    const { password_hash } = await row()
    await start()
    await start('admin', 'another horse')
    expect((await row()).password_hash).not.toBe(password_hash)
    expect(await sessionCount()).toBe(0)
  })

  test('taken away they leave an ordinary account with the same password', async () => {
    await start('admin', 'correct horse')
    const { id } = await row()
    await signIn({ id })
    const users = await start()
    expect(users.list()).toMatchObject([{ id, source: 'local', role: 'admin' }])
    expect(users.environmentUser()).toBeUndefined()
    expect(await sessionCount()).toBe(1)
    expect(await users.verify('admin', 'correct horse')).toBeDefined()
    await users.change(id, { password: 'another horse' })
    expect(await (await start()).verify('admin', 'another horse')).toBeDefined()
  })

  test('cannot be changed or removed here', async () => {
    const users = await start('admin', 'correct horse')
    const { id } = await row()
    const calls = [
      users.change(id, { role: 'viewer' }),
      users.change(id, { password: 'another horse' }),
      users.setPassword(id, 'another horse'),
      users.remove(id),
    ]
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'locked_by_environment' })
    expect(await users.verify('admin', 'correct horse')).toBeDefined()
  })
})

describe('[design] PULSE_AUTH_PASS as a bcrypt hash of the older product', () => {
  const hash = bcrypt.hashSync('correct horse', 4)

  test('is taken as it is, and becomes argon2id at the first sign-in', async () => {
    const users = await start('admin', hash)
    expect((await row()).password_hash).toBe(hash)
    expect(await users.verify('admin', 'wrong horse')).toBeUndefined()
    expect((await row()).password_hash).toBe(hash)
    expect(await users.verify('admin', 'correct horse')).toBeDefined()
    expect((await row()).password_hash).toMatch(/^\$argon2id\$/)
    expect(await users.verify('admin', 'correct horse')).toBeDefined()
  })

  test('the same at the next start keeps what it became, and the sessions', async () => {
    await (await start('admin', hash)).verify('admin', 'correct horse')
    const before = await row()
    await signIn(before)
    const users = await start('admin', hash)
    expect([await row(), await sessionCount()]).toEqual([before, 1])
    expect(await users.verify('admin', 'correct horse')).toBeDefined()
  })

  test('is no password itself', async () => {
    expect(await (await start('admin', hash)).verify('admin', hash)).toBeUndefined()
  })

  test('another hash is another password', async () => {
    await (await start('admin', hash)).verify('admin', 'correct horse')
    await signIn(await row())
    const users = await start('admin', bcrypt.hashSync('another horse', 4))
    expect(await sessionCount()).toBe(0)
    expect(await users.verify('admin', 'correct horse')).toBeUndefined()
    expect(await users.verify('admin', 'another horse')).toBeDefined()
  })

  test('the same password in plain keeps the sessions', async () => {
    await (await start('admin', hash)).verify('admin', 'correct horse')
    await signIn(await row())
    await start('admin', 'correct horse')
    expect(await sessionCount()).toBe(1)
  })

  test('comes back after the password was changed here: the environment counts', async () => {
    await start('admin', hash)
    const local = await start()
    await local.setPassword((await row()).id, 'another horse')
    const users = await start('admin', hash)
    expect(await users.verify('admin', 'another horse')).toBeUndefined()
    expect(await users.verify('admin', 'correct horse')).toBeDefined()
  })
})
