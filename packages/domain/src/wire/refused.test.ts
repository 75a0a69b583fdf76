import type { Guest, PatchFrame } from '@pulse/contract'
import { expect, test } from 'vitest'
import { usageOf } from '../usage.ts'
import { createLateReader } from './read.ts'

test.each(['__proto__.told', 'constructor.told', 'toString', 'memory.__proto__'])(
  '[S13] a field called %s reaches nothing but is refused, and the next update is a gap',
  (path) => {
    const reader = createLateReader()
    const frame = { s: 'live', epoch: 'e' } as const
    const guests = [{ id: '1', memory: usageOf(1, 4) } as Guest]
    reader.read({ ...frame, t: 'snapshot', rev: 0, index: { guests: ['1'] }, state: { guests } })
    const set = { guests: { [path]: { i: [0], v: ['hostile'] } } }
    expect(() => reader.read({ ...frame, t: 'patch', from: 0, rev: 1, set } as PatchFrame)).toThrow(path)
    expect(({} as Record<string, unknown>).told).toBeUndefined()
    expect(reader.read({ ...frame, t: 'patch', from: 1, rev: 2 })).toBe('gap')
  },
)

test.each([
  ['a record that is not there', { i: [1], v: ['hostile'] }],
  ['what is before the first', { i: [-1], v: ['hostile'] }],
  ['what is no index', { i: ['x'], v: ['hostile'] }],
  ['more records than values', { i: [0, 0], v: ['hostile'] }],
])('[S13] an update of %s is refused, and says nothing of a record that comes later', (_what, column) => {
  const reader = createLateReader()
  const frame = { s: 'live', epoch: 'e' } as const
  const guests = [{ id: '1' } as Guest]
  reader.read({ ...frame, t: 'snapshot', rev: 0, index: { guests: ['1'] }, state: { guests } })
  const set = { guests: { name: column } }
  expect(() => reader.read({ ...frame, t: 'patch', from: 0, rev: 1, set } as PatchFrame)).toThrow(/name/)
  expect(reader.read({ ...frame, t: 'patch', from: 1, rev: 2 })).toBe('gap')
})

test('of an update that is refused nothing is seen, whatever of it came first', () => {
  const reader = createLateReader()
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
