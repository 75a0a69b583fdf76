import { afterAll, beforeAll, expect, test } from 'vitest'
import { userStore } from '../db/users.ts'
import { quickDerive } from '../testing/quick-hashing.ts'
import { aGround, type Ground } from './fixtures.ts'
import { createPasswords } from './password.ts'
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
      return quickDerive(password, salt)
    }),
    clock: ground.clock,
    onSessionsEnded: () => {},
    onWrite: () => {},
  })
  await users.add({ name: 'anna', password: 'correct horse', role: 'admin' })
  await users.signedInByOidc({ issuer: 'https://id.example', subject: '1', name: 'carla', role: 'admin' })
})
afterAll(() => ground.end())

test.each(['anna', 'unknown', 'carla'])(
  '[S5] a wrong password for %s costs one hash, whether the account is known, unknown or of single sign-on',
  async (name) => {
    derived = 0
    expect(await users.verify(name, 'wrong horse')).toBeUndefined()
    expect(derived).toBe(1)
  },
)
