import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditStore } from '../db/audit.ts'
import { signInAttemptStore } from '../db/sign-in-attempts.ts'
import { userStore } from '../db/users.ts'
import { quickDerive } from '../testing/quick-hashing.ts'
import { createAudit } from './audit.ts'
import { aCaller, aGround, DAY_MS, type Ground, HOUR_MS } from './fixtures.ts'
import { createLockout } from './lockout.ts'
import { createPasswords } from './password.ts'
import { createRateLimit } from './rate-limit.ts'
import { createSignIn, type SignIn } from './sign-in.ts'
import { createUsers } from './users.ts'

let ground: Ground
let signIn: SignIn
let setPassword: (password: string) => Promise<void>
let derived: number

beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.end())
beforeEach(async () => {
  await ground.clear()
  const { db, clock, log } = ground
  const passwords = createPasswords((password, salt) => {
    derived++
    return quickDerive(password, salt)
  })
  const users = createUsers({
    store: userStore(db),
    passwords,
    clock,
    onSessionsEnded: () => {},
    onWrite: () => {},
  })
  const { id } = await users.add({ name: 'anna', password: 'correct horse', role: 'admin' })
  setPassword = (password) => users.setPassword(id, password)
  signIn = createSignIn({
    users,
    lockout: createLockout(signInAttemptStore(db), clock),
    limit: createRateLimit(clock),
    audit: createAudit(auditStore(db), clock, log),
    clock,
  })
  derived = 0
})

const poll = (password = 'correct horse', peer = '192.0.2.7') =>
  signIn.checkBasic({ username: 'anna', password }, aCaller({ peer }))

describe('[facts/platform 2.1] a program that sends name and password with every call', () => {
  test('is hashed once a minute', async () => {
    for (let second = 0; second < 180; second++) {
      await poll()
      await ground.clock.advance(1000)
    }
    expect(derived).toBe(3)
  })

  test.each([HOUR_MS, -HOUR_MS, 3 * DAY_MS, -3 * DAY_MS])(
    '[R20] also when the clock steps by %d ms',
    async (step) => {
      await poll()
      ground.clock.step(step)
      await poll()
      expect(derived).toBe(1)
      await ground.clock.advance(60_000)
      await poll()
      expect(derived).toBe(2)
    },
  )

  test('is hashed once however many calls it makes at the same time, and none of them counts as a guess', async () => {
    const names = (await Promise.all(Array.from({ length: 40 }, () => poll()))).map(({ name }) => name)
    expect(names).toEqual(Array(40).fill('anna'))
    expect(derived).toBe(1)
  })

  test('[S5] a client that waits for a wrong pair is counted as before', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => poll('wrong')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([])
    expect(derived).toBe(5)
  })

  test('[S5] is remembered for its own address alone', async () => {
    await poll()
    await poll('correct horse', '198.51.100.1')
    expect(derived).toBe(2)
  })

  test('[S3] is forgotten with the password', async () => {
    await poll()
    await setPassword('another horse')
    await expect(poll()).rejects.toMatchObject({ code: 'invalid_credentials' })
  })
})
