import * as z from 'zod/mini'
import { beforeEach, describe, expect, test } from 'vitest'
import { UnreadableSettings } from './db/settings.ts'
import { createSettingsDocument, type SettingsDefinition } from './settings-document.ts'
import { memorySettings, memoryStore } from './testing/memory-settings.ts'

interface Limits {
  low: number
  high: number
  names: string[]
}
const Stored = z.partial(z.object({ low: z.number(), high: z.number(), names: z.array(z.string()) }))
const definition: SettingsDefinition<Limits> = {
  key: 'limits',
  name: 'limits',
  defaults: () => ({ low: 1, high: 9, names: [] }),
  parse: (stored) => ({ ...definition.defaults(), ...(Stored.parse(stored) as Partial<Limits>) }),
  setAside: 'each',
}

let store: ReturnType<typeof memoryStore>
let edges: ReturnType<typeof memorySettings>
beforeEach(() => {
  store = memoryStore()
  edges = memorySettings(store)
})
const started = async (more: Partial<SettingsDefinition<Limits>> = {}) => {
  const document = createSettingsDocument({ ...definition, ...more }, edges)
  await document.start()
  return document
}

describe('a settings document', () => {
  test('has its defaults until something is stored, and what is stored after a start', async () => {
    expect((await started()).current()).toEqual({ low: 1, high: 9, names: [] })
    store.texts.set('limits', '{"low":3}')
    expect((await started()).current()).toEqual({ low: 3, high: 9, names: [] })
  })

  test('stores a change before it is in force, and signals it with what was before', async () => {
    const document = await started()
    const signals: unknown[] = []
    document.onChange((now, before) => signals.push([now.low, before.low, store.texts.has('limits')]))
    await document.change((now) => ({ ...now, low: 2 }))
    expect(signals).toEqual([[2, 1, true]])
    expect([document.current().low, edges.writes()]).toEqual([2, 1])
  })

  test('loses no change of those at the same time', async () => {
    const document = await started()
    await Promise.all([1, 2, 3].map(() => document.change((now) => ({ ...now, names: [...now.names, 'x'] }))))
    expect(document.current().names).toHaveLength(3)
  })

  test('stores nothing for a change that throws, or that changes nothing', async () => {
    const document = await started()
    await document.change((now) => now)
    await expect(
      document.change(() => {
        throw new Error('refused')
      }),
    ).rejects.toThrow('refused')
    expect([store.texts.size, edges.writes()]).toEqual([0, 0])
  })

  test('stays as it is when the disk refuses a change', async () => {
    const document = await started()
    store.write = () => Promise.reject(new Error('full'))
    await expect(document.change((now) => ({ ...now, low: 2 }))).rejects.toThrow('full')
    expect(document.current().low).toBe(1)
  })

  test('takes up what another writer has stored', async () => {
    const document = await started()
    store.texts.set('limits', '{"high":7}')
    const signals: number[] = []
    document.onChange((now) => signals.push(now.high))
    const reload = () => document.runExclusive(document.reload)
    await reload()
    expect(document.current().high).toBe(7)
    // another row of the same table
    await reload()
    expect(signals).toEqual([7])
  })
})

describe('[R11] what is stored and cannot be read', () => {
  test('an entry is set aside, the others are in force, and the next change ends the report', async () => {
    const text = '{"low":"many","high":8,"names":["a",7,"b"]}'
    store.texts.set('limits', text)
    const document = await started()
    expect(document.current()).toEqual({ low: 1, high: 8, names: ['a', 'b'] })
    expect([...edges.lasting.values()]).toEqual([
      'Some of the limits could not be read and have their defaults: "low", "names.1". Check them and save them again.',
    ])
    expect(store.texts.get('limits.set-aside')).toBe(text)
    expect(edges.writes()).toBe(0)
    await document.change((now) => ({ ...now, low: 4 }))
    expect([...edges.lasting]).toEqual([])
    expect((await started()).current()).toEqual({ low: 4, high: 8, names: ['a', 'b'] })
  })

  test('of a document that is only safe as a whole nothing is in force', async () => {
    store.texts.set('limits', '{"low":"many","high":8}')
    expect((await started({ setAside: 'whole' })).current()).toEqual(definition.defaults())
    expect([...edges.lasting.values()]).toEqual([expect.stringContaining('as a whole')])
  })

  test.each(['', '{"half', 'null', '7'])('%j stops nothing', async (text) => {
    store.texts.set('limits', text)
    expect((await started()).current()).toEqual(definition.defaults())
    expect(edges.lasting.size).toBe(1)
  })

  test('a row that the key does not open stops nothing, a database that fails does', async () => {
    store.read = () => Promise.reject(new UnreadableSettings('damaged'))
    expect((await started()).current()).toEqual(definition.defaults())
    store.read = () => Promise.reject(new Error('the disk fails'))
    await expect(started()).rejects.toThrow('the disk fails')
  })

  test('no value of it is in the report or in the log', async () => {
    store.texts.set('limits', '{"low":"canary-secret","names":"canary-secret"}')
    await started()
    expect(JSON.stringify([edges.lines, [...edges.lasting]])).not.toContain('canary-secret')
  })
})
