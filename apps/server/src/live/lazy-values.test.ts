import type { DeltaFrame, Guest } from '@pulse/contract'
import { createLazyReader } from '@pulse/domain'
import v8 from 'node:v8'
import vm from 'node:vm'
import { expect, test } from 'vitest'

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as () => void
const MB = 1024 * 1024

/** Test files before this one may leave garbage that takes several collections. */
function heldBytes(): number {
  let held = Infinity
  for (;;) {
    collect()
    const { heapUsed } = process.memoryUsage()
    if (heapUsed > held - MB / 10) return heapUsed
    held = heapUsed
  }
}

test('[S13] what came for a record that no client read goes with the record', () => {
  const reader = createLazyReader()
  const frame = { s: 'live', epoch: 'e' } as const
  const ids = Array.from({ length: 40 }, (_, n) => String(n))
  const all = ids.map(Number)
  const guests = ids.map((id) => ({ id }) as Guest)
  reader.read({ ...frame, t: 'snapshot', rev: 0, index: { guests: ids }, state: { guests } })
  const before = heldBytes()
  const lists = ids.map(() => Array.from({ length: MB / 8 }, () => 0.5))
  const set = { guests: { tags: { i: all, v: lists } } }
  reader.read({ ...frame, t: 'patch', from: 0, rev: 1, set } as DeltaFrame)
  lists.length = 0
  expect(heldBytes() - before).toBeGreaterThan(30 * MB)
  reader.read({ ...frame, t: 'patch', from: 1, rev: 2, remove: { guests: all } })
  expect(heldBytes() - before).toBeLessThan(10 * MB)
  // The reader held the lazy values.
  expect(reader.read({ ...frame, t: 'patch', from: 2, rev: 2 })).not.toBe('gap')
})
