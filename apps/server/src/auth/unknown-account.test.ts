import { afterAll, beforeAll, expect, test } from 'vitest'
import { userStore } from '../db/users.ts'
import { aGround, type Ground, scale } from './given.ts'
import { createPasswords } from './password.ts'
import { createUsers, type Users } from './users.ts'

let ground: Ground
let users: Users

beforeAll(async () => {
  ground = await aGround()
  users = createUsers({
    store: userStore(ground.db),
    passwords: createPasswords(),
    clock: ground.clock,
    onSessionsEnded: () => {},
    onWrite: () => {},
  })
  await users.add({ name: 'anna', password: 'correct horse', role: 'admin' })
  await users.signedInByOidc({ issuer: 'https://id.example', subject: '1', name: 'carla', role: 'admin' })
})
afterAll(() => ground.end())

/** A busy machine makes times longer, never shorter: the lower quartile of a few tells what the median of many does. */
const middle = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> (scale === 1 ? 2 : 1)]!

async function timeOf(name: string): Promise<number> {
  const begin = performance.now()
  expect(await users.verify(name, 'wrong horse')).toBeUndefined()
  return performance.now() - begin
}

test(
  '[S5] an unknown account and one of single sign-on take as long as a known one, but for 2 ms',
  { retry: 1, timeout: 60_000 * scale },
  async () => {
    const names = ['anna', 'nobody', 'carla']
    const times = names.map((): number[] => [])
    // In turn, so that what else the machine does slows down all of them.
    for (let i = 0; i < (scale === 1 ? 60 : 200 * scale); i++) {
      for (const [n, name] of names.entries()) times[n]!.push(await timeOf(name))
    }
    const [known, ...others] = times.map(middle)
    for (const other of others) expect(Math.abs(other - known!)).toBeLessThan(2)
  },
)
