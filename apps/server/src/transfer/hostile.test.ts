import fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scale } from '../auth/fixtures.ts'
import { anyText } from '../testing/any-text.ts'
import { seal } from './envelope.ts'
import {
  aConnection,
  aFile,
  aLink,
  aLegacyFile,
  atConsole,
  aToken,
  aTransferGround,
  aUser,
  cheap,
  expectRefused,
  passphrase,
  type TransferGround,
} from './fixtures.ts'

const CASES = 1_000 * scale

let ground: TransferGround
let before: string
let good: string
beforeAll(async () => {
  ground = await aTransferGround()
  good = await aFile({ connections: [aConnection()], users: [aUser()], apiTokens: [aToken()] })
  await ground.transfer.import(good, passphrase, atConsole)
  before = await ground.rows()
})
afterAll(() => ground.end())

const refused = (file: string) => expectRefused(ground, file, before)
const sealed = async (text: string) => (await seal(text, passphrase, cheap)).toString('base64')

describe('[S17] a file that holds something else changes nothing at all', () => {
  const whole = { format: 'pulse-configuration', version: 1, exportedAt: '2026-01-01T00:00:00.000Z' }
  test.each([
    ['nothing', ''],
    ['no JSON', 'canary {'],
    ['null', 'null'],
    ['a list', '[]'],
    ['another format', JSON.stringify({ ...whole, format: 'other' })],
    ['no version', JSON.stringify({ ...whole, version: undefined })],
    ['an older version', JSON.stringify({ ...whole, version: 0 })],
    ['a newer version', JSON.stringify({ ...whole, version: 2, connections: [] })],
    ['a version that is a text', JSON.stringify({ ...whole, version: '1' })],
    ['__proto__', JSON.stringify(whole).replace('}', ',"__proto__":{"users":[]}}')],
    ['constructor', JSON.stringify(whole).replace('}', ',"constructor":{"prototype":{"polluted":1}}}')],
    [
      '__proto__ inside',
      JSON.stringify({ ...whole, system: {} }).replace('{}', '{"__proto__":{"polluted":1}}'),
    ],
    [
      'a depth of a million',
      JSON.stringify({ ...whole, users: 0 }).replace(':0}', `:${'['.repeat(1e6)}${']'.repeat(1e6)}}`),
    ],
    ['a million users', JSON.stringify({ ...whole, users: Array.from({ length: 1e6 }, () => 0) })],
    ['one long name', JSON.stringify({ ...whole, connections: [aConnection({ name: 'x'.repeat(5e6) })] })],
    ['what Pulse 4.x wrote', JSON.stringify({ version: '4.1', nodes: { pveInstances: [] } })],
  ])('sealed %s', async (_what, text) => {
    await refused(await sealed(text))
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  test.each([
    ['no nodes', { version: '4.1' }],
    ['another version', { version: '3.9', nodes: {} }],
    ['a later version', { version: '5.0', nodes: {} }],
    ['this version', { format: 'pulse-configuration', version: 1 }],
    ['no JSON', 'canary'],
  ])('an older envelope with %s', async (_what, content) => {
    await refused(aLegacyFile(content))
  })

  test('compressed, encoded twice or in another format', async () => {
    const bomb = gzipSync(Buffer.alloc(50e6))
    for (const bytes of [
      bomb,
      gzipSync(good),
      Buffer.from(good),
      Buffer.from('PK\u0003\u0004'),
      randomBytes(59),
    ])
      await refused(bytes.toString('base64'))
  })
})

const base64ish = fc.string({
  unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/='),
  maxLength: 400,
})
const cut = fc.integer({ min: 0, max: 10_000 }).map((n) => good.slice(0, n % good.length))
const changed = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
  const bytes = Buffer.from(good, 'base64')
  bytes[at % bytes.length]! ^= by
  return bytes.toString('base64')
})
const header = fc.uint8Array({ minLength: 6, maxLength: 120 }).map((bytes) => {
  // a valid magic and version, followed by random bytes
  return Buffer.concat([Buffer.from('PULSECFG\u0001'), bytes]).toString('base64')
})
const anything = fc.oneof(
  { weight: 3, arbitrary: anyText({ maxLength: 400 }) },
  { weight: 3, arbitrary: base64ish },
  { weight: 2, arbitrary: header },
  { weight: 2, arbitrary: cut },
  { weight: 1, arbitrary: changed },
  { weight: 2, arbitrary: fc.json().map((json) => `{"status":"success","data":${json}}`) },
)

/** other test files run in other threads of this process */
function ofThread(): number {
  const { heapTotal, external } = process.memoryUsage()
  return heapTotal + external
}

test(
  `[S17] ${CASES} hostile files: refused in words, with nothing changed and little memory`,
  async () => {
    const before = ofThread()
    await fc.assert(
      fc.asyncProperty(anything, async (file) => void (await refused(file))),
      { numRuns: CASES },
    )
    const grown = (ofThread() - before) / 2 ** 20
    console.log(`${CASES} files, memory +${Math.round(grown)} MB`)
    expect(grown).toBeLessThan(300)
    expect(ground.lines.map((line) => JSON.stringify(line)).join('\n')).not.toContain('canary')
  },
  120_000 * scale,
)

test(
  '[S17] hostile values in a well-formed file: nothing half done, no crash',
  async () => {
    const scalar = fc.oneof(
      anyText({ maxLength: 40 }),
      fc.constantFrom(
        null,
        true,
        -1,
        1.5,
        2 ** 53,
        '__proto__',
        '../../etc/passwd',
        '${7*7}',
        '\ud800',
        '\0',
      ),
    )
    const mutated = <T extends object>(valid: T) =>
      fc
        .tuple(
          fc.constantFrom(...Object.keys(valid)),
          fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.object()),
        )
        .map(([key, value]) => ({ ...valid, [key]: value }))
    const values = fc.oneof(
      mutated(aConnection()).map((one) => ({ connections: [one] })),
      mutated(aUser({ name: 'ben' })).map((one) => ({ users: [one] })),
      mutated(aToken()).map((one) => ({ apiTokens: [one] })),
      mutated(aLink()).map((one) => ({ guestMetadata: [one] })),
      fc.object({ maxDepth: 3 }).map((system) => ({ system })),
      fc.object({ maxDepth: 3 }).map((oidc) => ({ oidc })),
    )
    await fc.assert(
      fc.asyncProperty(values, async (content) => {
        const file = await aFile(content)
        // accepted values could also be entered in a form, so a check is enough here
        await ground.transfer.check(file, passphrase, atConsole).catch((error: { code?: string }) => {
          expect(error.code).toBe('invalid_import')
        })
      }),
      { numRuns: scale > 1 ? 300 * scale : 100 },
    )
    expect(await ground.rows()).toBe(before)
  },
  120_000 * scale,
)
