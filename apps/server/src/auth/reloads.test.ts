import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiTokenStore } from '../db/api-tokens.ts'
import { sessionStore } from '../db/sessions.ts'
import { createApiTokens } from './api-tokens.ts'
import { aGround, DAY_MS, type Ground } from './fixtures.ts'
import { anna, beginSession, startSessions, startTokens } from './fixtures-credentials.ts'
import { createSessions } from './sessions.ts'

let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
beforeEach(() => ground.clear())
afterAll(() => ground.end())

describe('[facts/platform 3.1] a session', () => {
  test('[N 2] that begins or ends while all are read again stays as it is', async () => {
    let sessions = await startSessions(ground)
    const signIn = (userId: string) => beginSession(sessions, userId)
    const old = await signIn('anna')
    const hash = sessions.find(old)!.token_hash
    const store = sessionStore(ground.db)
    let isReading = false
    let begun = ''
    const { clock, log } = ground
    sessions = createSessions({
      clock,
      log,
      onEnded: () => {},
      store: {
        ...store,
        async all() {
          const found = await store.all()
          if (!isReading) return found
          await sessions.end(hash)
          begun = await signIn('bert')
          return found
        },
      },
    })
    await sessions.start()
    isReading = true
    await sessions.reload()
    expect([sessions.find(old), sessions.find(begun)?.user_id]).toEqual([undefined, 'bert'])
  })

  const rows = () => sessionStore(ground.db).all()

  /** `store`: until it says that it can, it removes none; `onRead` runs after each reading. */
  async function whileNoneIsRemoved() {
    const stored = sessionStore(ground.db)
    const store = { canRemove: false, onRead: async () => {} }
    const sessions = createSessions({
      ...ground,
      onEnded: () => {},
      store: {
        ...stored,
        remove: (gone) => (store.canRemove ? stored.remove(gone) : Promise.reject(new Error('no answer'))),
        async all() {
          const found = await stored.all()
          await store.onRead()
          return found
        },
      },
    })
    await sessions.start()
    return { sessions, store }
  }

  test('[N 2] that could not be removed is removed before all are read again: other processes still have it', async () => {
    const { sessions, store } = await whileNoneIsRemoved()
    const token = await beginSession(sessions, 'anna')
    await expect(sessions.end(sessions.find(token)!.token_hash)).rejects.toThrow('no answer')
    await sessions.reload()
    expect([sessions.find(token), await rows()]).toEqual([undefined, [expect.anything()]])
    store.canRemove = true
    await sessions.reload()
    expect(await rows()).toEqual([])
  })

  test('[N 2] that could not be removed stays ended if that succeeds while all are read again', async () => {
    const { sessions, store } = await whileNoneIsRemoved()
    const [old, other] = [await beginSession(sessions, 'anna'), await beginSession(sessions, 'bert')]
    const hash = sessions.find(other)!.token_hash
    await expect(sessions.end(sessions.find(old)!.token_hash)).rejects.toThrow('no answer')
    store.onRead = async () => {
      store.canRemove = true
      // which also removes the other one
      await sessions.end(hash)
    }
    await sessions.reload()
    expect([await rows(), sessions.find(old), sessions.find(other)]).toEqual([[], undefined, undefined])
  })

  test('of the far future is none after a restart, also once all are read again', async () => {
    const before = await startSessions(ground)
    const token = await beginSession(before, 'anna')
    ground.clock.step(-365 * DAY_MS)
    const sessions = await startSessions(ground)
    await sessions.reload()
    expect(sessions.find(token)).toBeUndefined()
    await before.reload()
    expect(before.find(token)).toBeDefined()
  })
})

describe('[facts/platform 4] an API token', () => {
  test('[N 2] that is revoked while all are read again stays so', async () => {
    const tokens = await startTokens(ground)
    const create = () => tokens.create({}, anna)
    const { token, record } = await create()
    const store = apiTokenStore(ground.db)
    let revoked: Promise<unknown> | undefined
    const all = async () => {
      const rows = await store.all()
      await (revoked ??= again.revoke(record.id))
      return rows
    }
    const edges = { onEnded: () => {}, onWrite: () => {}, clock: ground.clock, log: ground.log }
    let isStarted = false
    const again = createApiTokens({
      ...edges,
      store: { ...store, all: () => (isStarted ? all() : store.all()) },
    })
    await again.start([])
    isStarted = true
    await again.reload()
    expect([again.find(token), again.list()]).toEqual([undefined, []])
  })

  test('[N 2] that gets its host while all are read again keeps it', async () => {
    const tokens = await startTokens(ground)
    const { record } = await tokens.create({ oneHost: true }, anna)
    const store = apiTokenStore(ground.db)
    const host = { id: 'h1', name: 'docker-1' }
    let bound: Promise<void> | undefined
    let isStarted = false
    const again = createApiTokens({
      onEnded: () => {},
      onWrite: () => {},
      clock: ground.clock,
      log: ground.log,
      store: {
        ...store,
        async all() {
          const rows = await store.all()
          if (isStarted) await (bound ??= again.bind(record.id, host))
          return rows
        },
      },
    })
    await again.start([])
    isStarted = true
    await again.reload()
    expect(again.get(record.id)?.boundHost).toEqual(host)
  })
})
