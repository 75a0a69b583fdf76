import { afterAll, beforeAll, expect, test } from 'vitest'
import { userStore } from '../db/users.ts'
import { aGround, type Ground, scale } from './given.ts'
import { argon2id, createPasswords } from './password.ts'
import { createUsers, type Users } from './users.ts'

let ground: Ground
let users: Users
let derived = 0

beforeAll(async () => {
  ground = await aGround()
  users = createUsers({
    store: userStore(ground.db),
    passwords: createPasswords((password, salt) => {
      derived++
      return argon2id(password, salt)
    }),
    clock: ground.clock,
    onSessionsEnded: () => {},
    onWrite: () => {},
  })
  await users.add({ name: 'anna', password: 'correct horse', role: 'admin' })
  await users.signedInByOidc({ issuer: 'https://id.example', subject: '1', name: 'carla', role: 'admin' })
})
afterAll(() => ground.end())

test.each(['anna', 'nobody', 'carla'])(
  '[S5] a wrong password for %s costs one hash, whether the account is known, unknown or of single sign-on',
  async (name) => {
    derived = 0
    expect(await users.verify(name, 'wrong horse')).toBeUndefined()
    expect(derived).toBe(1)
  },
)

const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1]!

async function timeOf(name: string): Promise<number> {
  const begin = performance.now()
  expect(await users.verify(name, 'wrong horse')).toBeUndefined()
  return performance.now() - begin
}

// Times mean something only on a machine that has nothing else to do.
if (scale > 1)
  test(
    '[S5] and the medians of 2,000 tries are less than 2 ms apart',
    { retry: 1, timeout: 600_000 },
    async () => {
      const names = ['anna', 'nobody', 'carla']
      const times = names.map((): number[] => [])
      // In turn, so that what else the machine does slows down all of them.
      for (let i = 0; i < 200 * scale; i++) {
        for (const [n, name] of names.entries()) times[n]!.push(await timeOf(name))
      }
      const [known, ...others] = times.map(median)
      for (const other of others) expect(Math.abs(other - known!)).toBeLessThan(2)
    },
  )
