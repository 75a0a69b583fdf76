import { allScopes, type NewTokenInput } from '@pulse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiTokenStore } from '../db/api-tokens.ts'
import type { ApiTokens, Maker } from './api-tokens.ts'
import { aGround, DAY_MS, filesOf, type Ground, HOUR_MS } from './fixtures.ts'
import { anna, sha3, startTokens } from './fixtures-credentials.ts'

let ground: Ground
let tokens: ApiTokens
let endings: number

beforeAll(async () => {
  ground = await aGround()
})
beforeEach(async () => {
  await ground.clear()
  endings = 0
  tokens = await started()
})
afterAll(() => ground.end())

/** Starts the server with these tokens in its environment. */
const started = (...environment: string[]) => startTokens(ground, environment, () => void endings++)

const byToken = (id: string, scopes: Maker['scopes'] = allScopes): Maker => ({
  id: `token:${id}`,
  name: 'a token',
  method: 'token',
  scopes,
})
const create = (input: NewTokenInput = {}, held?: NewTokenInput['scopes']) =>
  tokens.create(input, held ? byToken('of no user', held) : anna)
const environmentToken = 'environment-token-0123456789'

describe('[facts/platform 4] an API token', () => {
  test('is 256 random bits, shown once and kept as its hash alone', async () => {
    const { token, record } = await create({ name: 'wall' })
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect((await create()).token).not.toBe(token)
    expect(record).toEqual({
      id: expect.any(String),
      name: 'wall',
      prefix: token.slice(0, 6),
      suffix: token.slice(-4),
      scopes: [...allScopes],
      createdAt: '2026-01-01T12:00:00.000Z',
      source: 'user',
      madeBy: { id: 'user:1', name: 'anna' },
    })
    expect(JSON.stringify(tokens.list())).not.toContain(token)
    // a server has its rows elsewhere
    const files = filesOf(ground.dataDir) + JSON.stringify(await apiTokenStore(ground.db).all())
    expect([files.includes(sha3(token)), files.includes(token)]).toEqual([true, false])
  })

  test.each([undefined, ''])('without a name (%j) is called "API token"', async (name) => {
    expect((await create(name === undefined ? {} : { name })).record.name).toBe('API token')
  })

  test('is listed newest first, also after a restart', async () => {
    for (const name of ['a', 'b', 'c']) {
      await create({ name })
      await ground.clock.advance(1000)
    }
    const list = tokens.list()
    expect(list.map(({ name }) => name)).toEqual(['c', 'b', 'a'])
    expect((await started()).list()).toEqual(list)
  })

  test('is found by its letters, in either case, and by nothing else', async () => {
    const { token, record } = await create({ name: 'wall', scopes: ['monitoring:read'] })
    const found = { id: record.id, name: 'wall', scopes: ['monitoring:read'] }
    for (const shown of [token, token.toUpperCase()]) expect(tokens.find(shown)).toEqual(found)
    const odd = ['', ` ${token}`, `${token}0`, token.slice(1), record.id, sha3(token), `sha3:${sha3(token)}`]
    for (const shown of odd) expect(tokens.find(shown)).toBeUndefined()
  })

  test('holds its scopes once each and in their order', async () => {
    const { record } = await create({ scopes: ['docker:report', 'monitoring:read', 'docker:report'] })
    expect(record.scopes).toEqual(['monitoring:read', 'docker:report'])
    expect((await started()).list()[0]!.scopes).toEqual(['monitoring:read', 'docker:report'])
  })

  test('[S9] never holds more than the token that made it', async () => {
    await expect(create({ scopes: ['settings:write'] }, ['monitoring:read'])).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(/settings:write/),
    })
    await expect(create({}, allScopes.slice(1))).rejects.toMatchObject({ code: 'forbidden' })
    expect(tokens.list()).toEqual([])
    expect((await create({ scopes: ['docker:report'] }, ['docker:report'])).record.scopes).toHaveLength(1)
  })

  test('ends when it expires, and cannot be made expired', async () => {
    const expiresAt = new Date(ground.clock.now() + HOUR_MS).toISOString()
    const { token, record } = await create({ expiresAt })
    expect(record.expiresAt).toBe(expiresAt)
    await ground.clock.advance(HOUR_MS - 1)
    expect([tokens.find(token)?.id, tokens.isLive(record.id)]).toEqual([record.id, true])
    await ground.clock.advance(1)
    expect([tokens.find(token), tokens.isLive(record.id)]).toEqual([undefined, false])
    await expect(create({ expiresAt })).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('[S3] ends at once when it is revoked, and stays so', async () => {
    const { token, record } = await create()
    const other = await create()
    expect(await tokens.revoke(record.id)).toMatchObject([{ id: record.id }])
    for (const one of [tokens, await started()]) {
      expect([one.find(token), one.isLive(record.id)]).toEqual([undefined, false])
      expect(one.find(other.token)).toBeDefined()
    }
    expect(endings).toBe(1)
    await expect(tokens.revoke(record.id)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('notes its use at most once a minute', async () => {
    const { token } = await create()
    const used = () => tokens.list()[0]!.lastUsedAt
    expect(used()).toBeUndefined()
    for (let second = 0; second < 60; second++) {
      tokens.find(token)
      await ground.clock.advance(1000)
    }
    expect(used()).toBe('2026-01-01T12:00:00.000Z')
    tokens.find(token)
    expect(used()).toBe('2026-01-01T12:01:00.000Z')
    await expect.poll(async () => (await started()).list()[0]!.lastUsedAt).toBe('2026-01-01T12:01:00.000Z')
  })

  test('[R18] is one of 1,000 at most', async () => {
    const row = (n: number) => ({
      id: `${n}`,
      source: 'user',
      name: `${n}`,
      token_hash: sha3(`${n}`),
      prefix: '',
      suffix: '',
      scopes: '[]',
      created_at: 0,
      last_used_at: null,
      expires_at: null,
      made_by: null,
      made_by_name: null,
      parent_id: null,
      one_host: 0,
      bound_host: null,
      bound_host_name: null,
    })
    await apiTokenStore(ground.db).change({ insert: Array.from({ length: 999 }, (_, n) => row(n)) })
    tokens = await started()
    await create()
    await expect(create()).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe('one token instead of the others', () => {
  test('replaces all that were made here and keeps those of the environment', async () => {
    tokens = await started(environmentToken)
    const old = [await create(), await create()]
    const { token, record } = await tokens.replaceAll(anna)
    for (const one of [tokens, await started(environmentToken)]) {
      expect(old.map((o) => one.find(o.token))).toEqual([undefined, undefined])
      expect(one.find(token)).toMatchObject({ id: record.id, scopes: [...allScopes] })
      expect(one.find(environmentToken)).toBeDefined()
      expect(one.list()).toHaveLength(2)
    }
    expect(endings).toBe(1)
  })

  test('the setup form brings its own', async () => {
    const raw = 'AB12'.repeat(12)
    const old = await create()
    await tokens.adopt(raw, 'Primary token', true, anna)
    const again = await tokens.adopt(raw.toLowerCase(), 'Primary token', true, anna)
    expect(tokens.list()).toEqual([again])
    expect([tokens.find(raw)?.name, tokens.find(old.token)]).toEqual(['Primary token', undefined])
    await create()
    await tokens.adopt(raw, 'Renamed', false, anna)
    expect(tokens.list().map(({ name }) => name)).toEqual(['Renamed', 'API token'])
  })
})

describe('[S3] a token does not outlive what made it', () => {
  const expiresIn = (ms: number) => new Date(ground.clock.now() + ms).toISOString()

  test('a token makes none that lives longer, nor one for ever', async () => {
    const { record } = await create({ expiresAt: expiresIn(HOUR_MS) })
    for (const input of [{}, { expiresAt: expiresIn(HOUR_MS + 1) }]) {
      await expect(tokens.create(input, byToken(record.id))).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining(record.expiresAt!),
      })
    }
    const made = await tokens.create({ expiresAt: record.expiresAt }, byToken(record.id))
    expect(made.record).toMatchObject({ madeBy: { id: 'user:1', name: 'anna' }, madeWith: record.id })
  })

  test('what replaces it ends when it would have ended', async () => {
    const { record } = await create({ expiresAt: expiresIn(HOUR_MS) })
    const adopted = await tokens.adopt('ab'.repeat(24), 'Primary token', false, byToken(record.id))
    expect(adopted.expiresAt).toBe(record.expiresAt)
    expect((await tokens.replaceAll(byToken(record.id))).record.expiresAt).toBe(record.expiresAt)
  })

  test('revoking it ends what was made with it, and with that', async () => {
    const first = await create({ name: 'first' })
    const second = await tokens.create({ name: 'second' }, byToken(first.record.id))
    const third = await tokens.create({ name: 'third' }, byToken(second.record.id))
    const other = await create({ name: 'other' })
    const ended = await tokens.revoke(first.record.id)
    expect(ended.map(({ name }) => name)).toEqual(['first', 'second', 'third'])
    for (const one of [tokens, await started()]) {
      expect([second, third].map(({ token }) => one.find(token))).toEqual([undefined, undefined])
      expect(one.find(other.token)).toBeDefined()
    }
  })

  test.each([
    ['made with it', async (maker: Maker) => (await tokens.create({}, maker)).token],
    ['that replaced all others', async (maker: Maker) => (await tokens.replaceAll(maker)).token],
    [
      'of a setup',
      async (maker: Maker) => {
        await tokens.adopt('ab'.repeat(24), 'Primary token', true, maker)
        return 'ab'.repeat(24)
      },
    ],
  ])('so does taking it out of the environment: the token %s', async (_, make) => {
    tokens = await started(environmentToken)
    const child = await make(byToken(tokens.list()[0]!.id))
    expect(tokens.find(child)).toBeDefined()
    tokens = await started()
    expect(tokens.find(child)).toBeUndefined()
  })

  test('a right that ends while its token is being written leaves none behind', async () => {
    const leaving: Maker = { ...anna, isCurrent: () => false }
    await expect(tokens.create({}, leaving)).rejects.toMatchObject({ code: 'authentication_required' })
    expect(tokens.list()).toEqual([])
    expect((await started()).list()).toEqual([])
  })

  test('[R20] nor when the clock is set back; set forward, its date has come', async () => {
    for (const step of [-HOUR_MS, -3 * DAY_MS]) {
      const { token } = await create({ expiresAt: expiresIn(HOUR_MS) })
      ground.clock.step(step)
      await ground.clock.advance(HOUR_MS - 1)
      expect(tokens.find(token)).toBeDefined()
      await ground.clock.advance(1)
      expect(tokens.find(token)).toBeUndefined()
    }
    const { token } = await create({ expiresAt: expiresIn(2 * HOUR_MS) })
    ground.clock.step(HOUR_MS)
    expect(tokens.find(token)).toBeDefined()
    ground.clock.step(HOUR_MS)
    expect(tokens.find(token)).toBeUndefined()
  })

  test('its sockets are notified at the moment it expires, however far away that is', async () => {
    const { record } = await create({ expiresAt: expiresIn(40 * DAY_MS) })
    await create({ expiresAt: expiresIn(41 * DAY_MS) })
    await ground.clock.advance(40 * DAY_MS - 1)
    expect([endings, tokens.isLive(record.id)]).toEqual([0, true])
    await ground.clock.advance(1)
    expect([endings, tokens.isLive(record.id)]).toEqual([1, false])
    tokens.stop()
    expect(ground.clock.pending()).toBe(0)
  })
})
