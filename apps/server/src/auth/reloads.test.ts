import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiTokenStore } from '../db/api-tokens.ts'
import { sessionStore } from '../db/sessions.ts'
import { createApiTokens } from './api-tokens.ts'
import { aGround, type Ground } from './fixtures.ts'
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
})
