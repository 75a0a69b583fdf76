import { expect, test, describe } from 'vitest'
import { createEditStore } from './edit-store.ts'

interface Level {
  after: number
  notify: string
}

interface Document {
  cooldown: number
  levels: Level[]
  prefixes?: string[]
  overrides: Record<string, { cpu?: { trigger: number; clear: number }; disabled?: boolean }>
}

const level = (after: number): Level => ({ after, notify: 'all' })
const isAtom = (value: Readonly<Record<string, unknown>>) => 'trigger' in value

const aDocument = (over: Partial<Document> = {}): Document => ({
  cooldown: 30,
  levels: [15, 30, 60].map(level),
  overrides: {},
  ...over,
})

function setup(stored = aDocument()) {
  const store = createEditStore<Document>(isAtom)
  const server = { stored, sent: 0 }
  store.rebase(stored)
  return {
    store,
    server,
    change: (over: (before: Document) => Partial<Document>) =>
      store.change((before) => ({ ...before, ...over(before) })),
    save: (answer: 'stored' | 'refused' | 'lost' = 'stored', during: () => void = () => {}) =>
      store
        .save({
          load: async () => server.stored,
          async send(document) {
            server.sent += 1
            if (answer !== 'refused') server.stored = structuredClone(document)
            during()
            if (answer !== 'stored') throw new Error(answer)
            return server.stored
          },
        })
        .catch((error: Error) => error.message),
    afters: () => store.shown()!.levels.map(({ after }) => after),
  }
}

const withLevels = (change: (levels: readonly Level[]) => Level[]) => (before: Document) => ({
  levels: change(before.levels),
})

describe('list entries are identified by value', () => {
  test('15, 30, 60: 30 removed here and 15 there leaves 60', async () => {
    const { change, save, server } = setup()
    change(withLevels((levels) => levels.filter(({ after }) => after !== 30)))
    server.stored = aDocument({ levels: [30, 60].map(level) })
    await save()
    expect(server.stored.levels).toEqual([level(60)])
  })

  test('an answer that was lost and a second save add a level once', async () => {
    const { change, save, store, server } = setup(aDocument({ levels: [level(15)] }))
    change(withLevels((levels) => [...levels, level(45)]))
    expect(await save('lost')).toBe('lost')
    await save()
    expect(server.stored.levels).toEqual([15, 45].map(level))
    expect(store.isDirty()).toBe(false)
  })

  test('an item changes at its position, and an item added elsewhere stays behind its neighbour', async () => {
    const { change, save, server, afters } = setup()
    change(withLevels((levels) => levels.map((one) => (one.after === 30 ? level(35) : one))))
    expect(afters()).toEqual([15, 35, 60])
    server.stored = aDocument({ levels: [15, 20, 30, 60].map(level) })
    await save()
    expect(server.stored.levels.map(({ after }) => after)).toEqual([15, 20, 35, 60])
  })

  test('equal items are counted', async () => {
    const { change, save, server } = setup(aDocument({ levels: [level(15)] }))
    change(withLevels((levels) => [...levels, level(15)]))
    await save('lost')
    await save()
    expect(server.stored.levels).toEqual([level(15), level(15)])
  })

  test('adding creates a missing list; removing from a missing one does not', async () => {
    const { change, save, server } = setup()
    change(() => ({ prefixes: ['a-'] }))
    await save()
    change(({ prefixes = [] }) => ({ prefixes: [...prefixes.filter((one) => one !== 'a-'), 'b-'] }))
    const { prefixes: _gone, ...rest } = server.stored
    server.stored = rest
    await save()
    expect(server.stored.prefixes).toEqual(['b-'])
  })
})

describe('an edit', () => {
  test('that restores the stored value is removed', () => {
    const { change, store } = setup()
    change(() => ({ cooldown: 40 }))
    expect(store.isDirty()).toBe(true)
    change(() => ({ cooldown: 30 }))
    expect(store.isDirty()).toBe(false)
  })

  test('keeps changes that another browser saved elsewhere in the document', async () => {
    const { change, save, server } = setup()
    change(() => ({ overrides: { a: { cpu: { trigger: 90, clear: 85 } } } }))
    server.stored = aDocument({ cooldown: 60, overrides: { b: { disabled: true }, a: { disabled: true } } })
    await save()
    expect(server.stored).toEqual(
      aDocument({
        cooldown: 60,
        overrides: { b: { disabled: true }, a: { disabled: true, cpu: { trigger: 90, clear: 85 } } },
      }),
    )
  })

  test('of values that belong together replaces them together', async () => {
    const { change, save, server } = setup(
      aDocument({ overrides: { a: { cpu: { trigger: 80, clear: 75 } } } }),
    )
    change(() => ({ overrides: { a: { cpu: { trigger: 90, clear: 75 } } } }))
    server.stored = aDocument()
    await save()
    expect(server.stored.overrides).toEqual({ a: { cpu: { trigger: 90, clear: 75 } } })
  })

  test('that removes an object also removes additions of another browser to it', async () => {
    const { change, save, server } = setup(aDocument({ overrides: { a: { disabled: true } } }))
    change(() => ({ overrides: {} }))
    server.stored = aDocument({ overrides: { a: { disabled: true, cpu: { trigger: 9, clear: 4 } } } })
    await save()
    expect(server.stored.overrides).toEqual({})
  })

  test('made during a save stays, also one that restores the former value', async () => {
    const { change, save, store, server } = setup()
    change(() => ({ cooldown: 40 }))
    await save('stored', () => change(() => ({ cooldown: 30 })))
    expect([server.stored.cooldown, store.shown()!.cooldown, store.isDirty()]).toEqual([40, 30, true])
    await save()
    expect([server.stored.cooldown, store.isDirty()]).toEqual([30, false])
  })

  test('made during a save with a lost answer stays too', async () => {
    const { change, save, store, server } = setup()
    change(() => ({ cooldown: 40 }))
    await save('lost', () => change(() => ({ cooldown: 30 })))
    store.rebase(server.stored)
    expect([store.shown()!.cooldown, store.isDirty()]).toEqual([30, true])
  })

  test('that was stored although its answer was lost is removed, and does not undo later changes', async () => {
    const { change, save, store, server } = setup()
    change(() => ({ cooldown: 40 }))
    await save('lost')
    store.rebase(server.stored)
    expect(store.isDirty()).toBe(false)
    server.stored = aDocument({ cooldown: 50 })
    store.rebase(server.stored)
    expect(store.shown()!.cooldown).toBe(50)
  })

  test('that empties an object it had removed, after a save with a lost answer, empties the stored one', async () => {
    const { change, save, store, server } = setup()
    change(() => ({ overrides: { b: { cpu: { trigger: 1, clear: 0 } } } }))
    await save('lost')
    change(() => ({ overrides: {} }))
    change(() => ({ overrides: { b: {} } }))
    store.rebase(server.stored)
    expect(store.shown()!.overrides).toEqual({ b: {} })
    await save()
    expect([server.stored.overrides, store.isDirty()]).toEqual([{ b: {} }, false])
  })

  test('that removes a field stays when the object around it is added again', async () => {
    const { change, save, store, server } = setup()
    change(() => ({ overrides: { b: { disabled: true } } }))
    await save('lost')
    change(() => ({ overrides: { b: {} } }))
    change(() => ({ overrides: { b: {} } }))
    store.rebase(server.stored)
    expect(store.shown()!.overrides).toEqual({ b: {} })
  })

  test('is saved as the server writes it', async () => {
    const { store } = setup()
    store.change((before) => ({ ...before, cooldown: 40.4 }))
    await store.save({ load: async () => aDocument(), send: async (sent) => ({ ...sent, cooldown: 40 }) })
    expect([store.isDirty(), store.shown()!.cooldown]).toEqual([false, 40])
  })

  test('is kept when the save is refused', async () => {
    const { change, save, store } = setup()
    change(() => ({ cooldown: 40 }))
    expect(await save('refused')).toBe('refused')
    expect([store.shown()!.cooldown, store.isDirty()]).toEqual([40, true])
  })
})

test('a save during another one runs after it', async () => {
  const { change, store } = setup()
  const sent: number[] = []
  const answers: (() => void)[] = []
  let stored = aDocument()
  const save = () =>
    store.save({
      load: async () => stored,
      async send(document) {
        sent.push(document.cooldown)
        await new Promise<void>((resolve) => answers.push(resolve))
        return (stored = document)
      },
    })
  change(() => ({ cooldown: 40 }))
  const first = save()
  await Promise.resolve().then(() => Promise.resolve())
  change(() => ({ cooldown: 50 }))
  const second = save()
  await expect.poll(() => answers.length).toBe(1)
  answers[0]!()
  await first
  await expect.poll(() => answers.length).toBe(2)
  answers[1]!()
  await second
  expect([sent.at(-1), stored.cooldown, store.isDirty()]).toEqual([50, 50, false])
})
