import type { PatchFrame } from '@pulse/contract'
import { expect, test } from 'vitest'
import { handOver } from './handed-over.ts'
import { createWireReader } from './read.ts'

const patch = (): PatchFrame => ({
  t: 'patch',
  s: 'live',
  epoch: 'e',
  rev: 1,
  from: 0,
  set: {
    guests: {
      cpu: { i: [0, 2], v: [0.5, 0.25] },
      lock: { i: [1], v: ['backup'] },
      disk: { i: [2], v: [null] },
    },
  },
})

test('columns of figures are handed over to another thread, not copied; all others go as they are', () => {
  const frame = patch()
  const moved = handOver(frame)
  const { cpu, lock, disk } = frame.set!.guests!
  expect(cpu).toEqual({ i: Uint32Array.of(0, 2), v: Float64Array.of(0.5, 0.25) })
  expect([lock!.v, disk!.v]).toEqual([['backup'], [null]])
  expect(moved).toEqual([cpu!.i, cpu!.v, lock!.i, disk!.i].map((list) => (list as Uint32Array).buffer))
  expect(handOver({ t: 'patch', s: 'live', epoch: 'e', rev: 0, from: 0 })).toEqual([])
})

test('what came by another thread is read as what came straight', () => {
  const guest = { cpu: 0, lock: 'clone', disk: { total: 9 } }
  const read = (frame: PatchFrame) => {
    const reader = createWireReader()
    reader.read({
      t: 'snapshot',
      s: 'live',
      epoch: 'e',
      rev: 0,
      index: { guests: ['a', 'b', 'c'] },
      state: { guests: [{ ...guest }, { ...guest }, { ...guest }] as never },
    })
    const change = reader.read(frame)
    return change === 'gap' ? change : [...change.changed.guests!.put]
  }
  const frame = patch()
  const moved = handOver(frame)
  expect(read(structuredClone(frame, { transfer: moved }))).toEqual(read(patch()))
})
