import { allScopes, type NewTokenInput } from '@pulse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ApiTokens } from './api-tokens.ts'
import { aGround, filesOf, type Ground } from './fixtures.ts'
import { anna, sha3, startTokens } from './fixtures-credentials.ts'

let ground: Ground
let tokens: ApiTokens
beforeAll(async () => {
  ground = await aGround()
})
beforeEach(async () => {
  await ground.clear()
  tokens = await started()
})
afterAll(() => ground.end())

/** Starts the server with these tokens in its environment. */
const started = (...environment: string[]) => startTokens(ground, environment)
const create = (input: NewTokenInput = {}) => tokens.create(input, anna)
const environmentToken = 'environment-token-0123456789'

describe('[facts/platform 4] API_TOKENS of the environment', () => {
  test('are plain, or a hash marked as one', async () => {
    tokens = await started(environmentToken, `sha3:${sha3('another').toUpperCase()}`)
    expect(tokens.find(environmentToken)).toMatchObject({ name: 'Environment token', scopes: [...allScopes] })
    expect(tokens.find('another')).toBeDefined()
    expect(tokens.list()).toMatchObject([
      { source: 'environment', prefix: 'enviro', suffix: '6789' },
      { source: 'environment', prefix: 'sha3:', suffix: sha3('another').slice(-4) },
    ])
    expect(filesOf(ground.dataDir)).not.toContain(environmentToken)
  })

  test('the hash opens nothing', async () => {
    tokens = await started(`sha3:${sha3('another')}`)
    for (const shown of [sha3('another'), `sha3:${sha3('another')}`, ''])
      expect(tokens.find(shown)).toBeUndefined()
  })

  test('stay the same records while they stand there, and are gone when they do not', async () => {
    tokens = await started(environmentToken, 'another-token-0123456789')
    const own = await create({ name: 'mine' })
    const before = tokens.list()
    tokens = await started('another-token-0123456789', environmentToken)
    expect(new Set(tokens.list())).toEqual(new Set(before))
    tokens = await started('another-token-0123456789')
    expect(tokens.find(environmentToken)).toBeUndefined()
    expect([tokens.find(own.token)?.name, tokens.list().length]).toEqual(['mine', 2])
    tokens = await started()
    expect(tokens.list()).toMatchObject([{ name: 'mine' }])
  })

  test('cannot be revoked here', async () => {
    tokens = await started(environmentToken)
    const { id } = tokens.list()[0]!
    await expect(tokens.revoke(id)).rejects.toMatchObject({ code: 'locked_by_environment' })
    expect(tokens.find(environmentToken)).toBeDefined()
  })

  test('one given twice, or beside its own hash, is one', async () => {
    tokens = await started(environmentToken, environmentToken, `sha3:${sha3(environmentToken)}`)
    expect(tokens.list()).toHaveLength(1)
  })

  test('one that was made here before is from now on the environment\u2019s, with its id and scopes', async () => {
    const { token, record } = await create({ name: 'wall', scopes: ['monitoring:read'] })
    tokens = await started(token)
    const { madeBy: _, ...rest } = record
    expect(tokens.list()).toEqual([{ ...rest, source: 'environment' }])
    await expect(tokens.revoke(record.id)).rejects.toMatchObject({ code: 'locked_by_environment' })
    expect((await started()).list()).toEqual([])
  })
})
