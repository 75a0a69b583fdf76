import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEditStore } from './edit-store.ts'

interface Document {
  cooldown?: number
  levels: { after: number }[]
  overrides: Record<string, { cpu?: { trigger: number; clear: number }; disabled?: boolean }>
}

/** A document as a map from path to value: the model for comparison. */
type Values = Map<string, unknown>

const afters = [15, 30, 45]
const owners = ['a', 'b']
const paths = [
  'cooldown',
  ...afters.map((after) => `level ${after}`),
  ...owners.flatMap((owner) => [`cpu ${owner}`, `disabled ${owner}`]),
]

function valueAt({ cooldown, levels, overrides }: Document, path: string): unknown {
  const [kind, of = ''] = path.split(' ')
  if (kind === 'cooldown') return cooldown
  if (kind === 'level') return levels.filter(({ after }) => after === Number(of)).length
  return kind === 'cpu' ? overrides[of]?.cpu?.trigger : overrides[of]?.disabled
}

function withValue(document: Document, path: string, step: number): Document {
  const [kind, of = ''] = path.split(' ')
  const { levels, overrides } = document
  const after = Number(of)
  if (kind === 'cooldown') {
    const { cooldown: _old, ...rest } = document
    return step === 0 ? rest : { ...rest, cooldown: step }
  }
  if (kind === 'level') {
    const others = levels.filter((level) => level.after !== after)
    return {
      ...document,
      levels: step % 2 === 0 ? others : [...others.slice(0, step), { after }, ...others.slice(step)],
    }
  }
  const { cpu, disabled } = overrides[of] ?? {}
  const next =
    kind === 'cpu'
      ? {
          ...(step > 0 && { cpu: { trigger: step, clear: step - 1 } }),
          ...(disabled !== undefined && { disabled }),
        }
      : { ...(cpu && { cpu }), ...(step > 0 && { disabled: step % 2 === 0 }) }
  return { ...document, overrides: { ...overrides, [of]: next } }
}

const valuesOf = (document: Document): Values => new Map(paths.map((path) => [path, valueAt(document, path)]))

const edit = fc.record({ path: fc.constantFrom(...paths), step: fc.integer({ min: 0, max: 3 }) })
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('edit' as const), edit }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('other browser' as const), edit }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reload' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('save' as const),
      answer: fc.constantFrom('stored' as const, 'refused' as const, 'lost' as const),
      during: fc.option(edit, { nil: undefined }),
    }),
  },
)

test('no edit is lost and none is applied twice, whatever is saved, refused, lost or changed elsewhere', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30, size: 'max' }), async (actions) => {
      let stored: Document = { cooldown: 2, levels: [{ after: 15 }], overrides: {} }
      let base = valuesOf(stored)
      /** edits that the server may not have stored */
      let mine: Values = new Map()
      let isCertain = true
      const store = createEditStore<Document>((value) => 'trigger' in value)
      store.rebase(stored)

      const without = (values: Values, isOut: (path: string, value: unknown) => boolean): Values =>
        new Map([...values].filter(([path, value]) => !isOut(path, value)))
      const isInBase = (path: string, value: unknown) => Object.is(base.get(path), value)
      const learn = () => {
        base = valuesOf(stored)
        mine = without(mine, isInBase)
        isCertain = true
      }
      const change = ({ path, step }: { path: string; step: number }) => {
        const before = valueAt(store.shown()!, path)
        store.change((document) => withValue(document, path, step))
        const value = valueAt(store.shown()!, path)
        if (Object.is(before, value)) return
        mine = new Map(mine).set(path, value)
        if (isCertain) mine = without(mine, isInBase)
      }
      const check = () => {
        const shown = valuesOf(store.shown()!)
        for (const path of paths)
          expect(shown.get(path), path).toEqual(mine.has(path) ? mine.get(path) : base.get(path))
      }
      const save = (answer: 'stored' | 'refused' | 'lost', during?: () => void) =>
        store
          .save({
            async load() {
              learn()
              return stored
            },
            async send(document) {
              const sent = mine
              if (answer !== 'refused') stored = document
              isCertain = false
              mine = new Map(mine)
              during?.()
              if (answer !== 'stored') throw new Error(answer)
              mine = without(mine, (path, value) => sent.has(path) && Object.is(sent.get(path), value))
              learn()
              return stored
            },
          })
          .catch(() => {})

      for (const one of actions) {
        if (one.kind === 'edit') change(one.edit)
        if (one.kind === 'other browser') stored = withValue(stored, one.edit.path, one.edit.step)
        if (one.kind === 'reload') {
          learn()
          store.rebase(stored)
        }
        if (one.kind === 'save') await save(one.answer, one.during && (() => change(one.during!)))
        check()
      }
      await save('stored')
      check()
      expect([store.isDirty(), mine.size]).toEqual([false, 0])
      expect(valuesOf(stored)).toEqual(base)
    }),
  )
})
