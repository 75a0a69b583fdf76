import type { DeltaFrame, Guest, PatchFrame } from '@pulse/contract'
import { expect, test } from 'vitest'
import { usageOf } from '../usage.ts'
import { createLazyReader, type WireChange } from './read.ts'

const frame = (fields: object) => ({ s: 'live', epoch: 'e', ...fields }) as DeltaFrame
const named = (name: string) => ({ set: { guests: { name: { i: [0], v: [name] } } } })

test.each(['__proto__.injected', 'constructor.injected', 'toString', 'memory.__proto__'])(
  '[S13] a field called %s is refused without any effect, and the next update is a gap',
  (path) => {
    const reader = createLazyReader()
    const frame = { s: 'live', epoch: 'e' } as const
    const guests = [{ id: '1', memory: usageOf(1, 4) } as Guest]
    reader.read({ ...frame, t: 'snapshot', rev: 0, index: { guests: ['1'] }, state: { guests } })
    const set = { guests: { [path]: { i: [0], v: ['hostile'] } } }
    expect(() => reader.read({ ...frame, t: 'patch', from: 0, rev: 1, set } as PatchFrame)).toThrow(path)
    expect(({} as Record<string, unknown>).injected).toBeUndefined()
    expect(reader.read({ ...frame, t: 'patch', from: 1, rev: 2 })).toBe('gap')
  },
)

test.each([
  ['a record that is not there', { i: [1], v: ['hostile'] }],
  ['an index before the first', { i: [-1], v: ['hostile'] }],
  ['an invalid index', { i: ['x'], v: ['hostile'] }],
  ['more records than values', { i: [0, 0], v: ['hostile'] }],
])('[S13] an update of %s is refused, and says nothing of a record that comes later', (_what, column) => {
  const reader = createLazyReader()
  const frame = { s: 'live', epoch: 'e' } as const
  const guests = [{ id: '1' } as Guest]
  reader.read({ ...frame, t: 'snapshot', rev: 0, index: { guests: ['1'] }, state: { guests } })
  const set = { guests: { name: column } }
  expect(() => reader.read({ ...frame, t: 'patch', from: 0, rev: 1, set } as PatchFrame)).toThrow(/name/)
  expect(reader.read({ ...frame, t: 'patch', from: 1, rev: 2 })).toBe('gap')
})

test('a refused update changes nothing, whichever part of it is invalid', () => {
  const reader = createLazyReader()
  const frame = { s: 'live', epoch: 'e' } as const
  const guests = [{ id: '1', name: 'web', status: 'running' } as Guest]
  reader.read({ ...frame, t: 'snapshot', rev: 0, index: { guests: ['1'] }, state: { guests } })
  const name = { i: [0], v: ['db'] }
  const first = reader.read({
    ...frame,
    t: 'patch',
    from: 0,
    rev: 1,
    set: { guests: { name } },
  } as PatchFrame)
  const { records } = (first as Exclude<typeof first, 'gap'>).changed.guests!.set!
  expect(records.renew('1', true)).toMatchObject({ name: 'db' })
  const hostile = {
    ...frame,
    t: 'patch',
    from: 1,
    rev: 2,
    remove: { guests: [0] },
    set: { guests: { status: { i: [0], v: ['stopped'] } }, nodes: { name: { i: [7], v: ['x'] } } },
  } as PatchFrame
  expect(() => reader.read(hostile)).toThrow(/not there/)
  expect(records.isBehind('1')).toBe(false)
  expect(records.renew('1', true)).toMatchObject({ name: 'db', status: 'running' })
})

test.each([[[null]], [[['b', null]]], [5]])(
  'an update that is refused for adding %j writes nothing',
  (added) => {
    const reader = createLazyReader()
    reader.read(
      frame({
        t: 'snapshot',
        rev: 1,
        index: { guests: ['a'] },
        state: { guests: [{ id: 'a', name: 'old' }] },
      }),
    )
    const { changed } = reader.read(frame({ t: 'patch', rev: 2, from: 1, ...named('new') })) as WireChange
    const refused = frame({ t: 'patch', rev: 3, from: 2, ...named('refused'), add: { guests: added } })
    expect(() => reader.read(refused)).toThrow()
    expect(changed.guests!.set!.records.renew('a', true)).toMatchObject({ name: 'new' })
  },
)
