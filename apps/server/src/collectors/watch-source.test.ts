import type { PmgBackup } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { givenHost, refusal } from './proxmox/fixtures-host.ts'
import type { HostPart } from './proxmox/host-part.ts'
import { products } from './proxmox/product.ts'

/** A new part: the files of a gateway. */
function filePart() {
  const defect = { at: '' }
  const fail = (stage: string) => {
    if (defect.at === stage) throw new Error(`a defect of its ${stage}`)
  }
  let release = () => {}
  const part: HostPart<string[]> = {
    name: 'files',
    flags: ['monitorQueues'],
    calls: { perLook: 1 },
    kinds: ['pmgBackups'],
    start({ cache, get, source }) {
      fail('start')
      return {
        loops: [
          {
            name: 'files',
            right: 'Auditor',
            async run(signal) {
              const names = (await get('/files', signal)) as string[]
              fail('loop')
              cache.splice(0, cache.length, ...names)
              if (defect.at === 'slow end') await new Promise<void>((resolve) => (release = resolve))
            },
          },
        ],
        records() {
          fail('records')
          return { pmgBackups: new Map(cache.map((name) => [name, aFile(name, source)])) }
        },
        stop: () => void cache.splice(0),
      }
    },
  }
  return { part, defect, release: () => release() }
}

const aFile = (filename: string, source: string): PmgBackup => ({
  id: filename,
  instance: 'main',
  node: 'mail1',
  filename,
  backupTime: '2026-01-01T00:00:00.000Z',
  size: 0,
  source,
})

const other: HostPart<string[]> = {
  name: 'other',
  calls: { perMinute: 1 },
  start: ({ get }) => ({
    loops: [{ name: 'other', run: async (signal) => void (await get('/other', signal)) }],
  }),
}

function given(firstAfterMs?: number) {
  const { part, ...handles } = filePart()
  const host = givenHost(
    {
      product: products.pmg,
      greet: () => Promise.resolve('9.0'),
      parts: [part, other],
      cache: () => [] as string[],
    },
    { '/files': ['a', 'b'], '/other': [] },
    {},
    firstAfterMs,
  )
  const asked = (path: string) => host.asked.filter((one) => one === path).length
  const names = () => host.records('pmgBackups').map(({ filename }) => filename)
  return { ...host, ...handles, asked, names }
}

test('[design 13] one more part is a file: it is polled, published, and follows its switch', async () => {
  const { pass, names, asked, running } = given()
  await pass(125)
  expect(names()).toEqual(['a', 'b'])
  expect(asked('/files')).toBe(3)
  running.apply({ name: 'main', flags: { monitorQueues: false } })
  await pass(60)
  expect(names()).toEqual([])
  expect(asked('/files')).toBe(3)
})

test('[design 9] one whose turn comes later at the start is known at once and asks nothing until then', async () => {
  const { pass, state, running } = given(1_000)
  await pass(0.75)
  expect([state().health, running.totals().cycles]).toEqual(['unknown', 0])
  await pass(0.5)
  expect([state().health, running.totals().cycles]).toEqual(['healthy', 1])
})

test.each(['start', 'loop', 'records'])(
  'a defect of its %s is logged once and affects no other',
  async (stage) => {
    const { pass, defect, asked, faults, state, running } = given()
    running.apply({ name: 'main', flags: { monitorQueues: false } })
    await pass(5)
    defect.at = stage
    running.apply({ name: 'main', flags: { monitorQueues: true } })
    await pass(130)
    expect(state()).toMatchObject({ health: 'healthy' })
    expect(state().unreadable!.length).toBeGreaterThan(0)
    expect(faults).toHaveLength(1)
    expect(asked('/other')).toBeGreaterThanOrEqual(3)
  },
)

test('what it knew stays while its records are at fault', async () => {
  const { pass, defect, names, answers } = given()
  await pass(5)
  defect.at = 'records'
  answers['/files'] = ['c']
  await pass(65)
  expect(names()).toEqual(['a', 'b'])
  defect.at = ''
  await pass(65)
  expect(names()).toEqual(['c'])
})

test('a part that is switched off and on at once begins when it has ended, and loses nothing', async () => {
  const { pass, defect, release, names, running } = given()
  defect.at = 'slow end'
  await pass(5)
  defect.at = ''
  running.apply({ name: 'main', flags: { monitorQueues: false } })
  running.apply({ name: 'main', flags: { monitorQueues: true } })
  await pass(5)
  release()
  await pass(5)
  expect(names()).toEqual(['a', 'b'])
})

test('a question that is not known there is asked again in five minutes, one that fails earlier', async () => {
  const { pass, answers, asked } = given()
  answers['/files'] = refusal('not_found')
  answers['/other'] = refusal('server')
  await pass(290)
  expect(asked('/files')).toBe(1)
  expect(asked('/other')).toBeGreaterThan(3)
  await pass(30)
  expect(asked('/files')).toBe(2)
})

describe('a right that is missing', () => {
  test('is asked for again every minute, which costs no more than if it were there', async () => {
    const { pass, answers, asked, pace, state } = given()
    pace.hostMs = 10_000
    answers['/files'] = refusal('forbidden')
    await pass(295)
    expect(asked('/files')).toBe(5)
    expect(state().unreadable).toMatchObject([{ what: 'files', right: 'Auditor' }])
    answers['/files'] = ['a']
    await pass(60)
    expect(state()).not.toHaveProperty('unreadable')
  })

  test('is asked for as often as the source itself, where that is less', async () => {
    const { pass, answers, asked, pace } = given()
    pace.hostMs = 200_000
    answers['/files'] = refusal('forbidden')
    await pass(390)
    expect(asked('/files')).toBe(2)
  })

  test('once given, what else waits for it is asked at once, once in five minutes', async () => {
    const { pass, answers, asked, state } = given()
    answers['/files'] = refusal('forbidden')
    answers['/other'] = refusal('not_found')
    await pass(65)
    expect(asked('/other')).toBe(1)
    answers['/files'] = ['a']
    answers['/other'] = []
    await pass(60)
    expect(asked('/other')).toBe(2)
    expect(state()).not.toHaveProperty('unreadable')
    for (const answer of [refusal('forbidden'), ['a'], refusal('forbidden'), ['a']]) {
      answers['/files'] = answer
      await pass(60)
    }
    expect(asked('/other')).toBeLessThanOrEqual(2 + 4)
  })
})

test('while the host does not greet nothing else is asked; when it is back everything is', async () => {
  let isThere = true
  const greet = () => (isThere ? Promise.resolve('9.0') : Promise.reject(refusal('unreachable')))
  const host = givenHost(
    { product: products.pmg, greet, parts: [other], cache: () => [] as string[] },
    { '/other': [] },
  )
  await host.pass(30)
  isThere = false
  await host.pass(60)
  const before = host.asked.length
  await host.pass(300)
  expect(host.asked.length).toBe(before)
  isThere = true
  host.running.refresh()
  await host.pass(320)
  expect(host.asked.length).toBeGreaterThan(before)
})

test('a host that takes long to answer first is known to be watched, and nothing more', async () => {
  const host = givenHost(
    {
      product: products.pmg,
      greet: () => new Promise<string>(() => {}),
      parts: [other],
      cache: () => [] as string[],
    },
    { '/other': [] },
  )
  await host.pass(1)
  expect(host.state()).toMatchObject({ name: 'pmg-main', health: 'unknown' })
  expect(host.seen.at(-1)!.records).toEqual({})
})
