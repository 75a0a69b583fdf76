import type { DeltaFrame } from '@pulse/contract'
import { expect, test } from 'vitest'
import { createLateReader, type WireChange } from './read.ts'

const frame = (fields: object) => ({ s: 'core', epoch: 'e', ...fields }) as DeltaFrame
const named = (name: string) => ({ set: { guests: { name: { i: [0], v: [name] } } } })

test.each([[[null]], [[['b', null]]], [5]])(
  'an update that is refused for adding %j writes nothing',
  (added) => {
    const reader = createLateReader()
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
