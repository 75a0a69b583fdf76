import { type FakeClock, fakeClock } from '@pulse/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { watchSites } from './site-watch.ts'

const secondMs = 1_000
let clock: FakeClock
let alive: string[]
let heard: Map<string, number>
let own: Set<string>
let marks: string[]
let sites: Map<string, string>
let watch: { stop(): void }

beforeEach(() => {
  clock = fakeClock()
  alive = ['main', 'berlin']
  heard = new Map()
  own = new Set(['a'])
  marks = []
  sites = new Map([
    ['a', 'main'],
    ['b', 'berlin'],
    ['c', 'berlin'],
  ])
  watch = watchSites({
    clock,
    present: async () => alive.map((site) => ({ site, roles: ['collect'] as const })),
    sites: () => sites,
    isOwn: (source) => own.has(source),
    heardAt: (source) => heard.get(source) ?? -Infinity,
    async mark(sources, since) {
      const ago = since === undefined ? 'back' : `${Math.round((clock.now() - since) / secondMs)} s`
      marks.push(`${sources.join()} ${ago}`)
    },
    onFault(error) {
      throw error
    },
  })
})
afterEach(() => watch.stop())

async function pass(seconds: number) {
  for (let n = 0; n < seconds; n++) await clock.advance(secondMs)
}

describe('[N 4] a site without a process that collects', () => {
  test('is unreachable after a while, since its last sign of life', async () => {
    await pass(6)
    alive = ['main']
    await pass(12)
    expect(marks).toEqual([])
    await pass(6)
    expect(marks).toEqual(['b,c 15 s'])
    await pass(60)
    expect(marks).toHaveLength(1)
  })

  test('is back with its first word after its return, not before', async () => {
    alive = ['main']
    await pass(21)
    alive = ['main', 'berlin']
    await pass(6)
    expect(marks).toHaveLength(1)
    heard.set('c', clock.monotonic())
    await pass(3)
    expect(marks.at(-1)).toBe('b,c back')
  })

  test('is back after half a minute also without a word: its sources may have nothing to say', async () => {
    alive = ['main']
    await pass(21)
    alive = ['main', 'berlin']
    await pass(36)
    expect(marks.at(-1)).toBe('b,c back')
  })

  test('holds back no source that belongs to another site now', async () => {
    alive = ['main']
    await pass(21)
    sites.set('b', 'main')
    await pass(3)
    expect(marks.at(-1)).toBe('b back')
    sites.delete('c')
    await pass(3)
    expect(marks.at(-1)).toBe('c back')
  })

  test('loses nothing that this process collects itself', async () => {
    alive = []
    await pass(21)
    expect(marks).toEqual(['b,c 15 s'])
  })
})
