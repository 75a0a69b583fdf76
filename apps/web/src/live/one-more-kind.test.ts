import type { DeltaFrame, RecordKind } from '@pulse/contract'
import { atOnce, createWireWriter, type InSteps } from '@pulse/domain'
import { withKind } from '@pulse/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFrameApplier } from './socket.ts'
import { createLiveStore } from './store.ts'

const arrived = (pieces: InSteps<string[]>) => JSON.parse(atOnce(pieces).join('')) as DeltaFrame

let takeAway: () => void
beforeEach(() => {
  takeAway = withKind('volumes', { slice: 'live', derived: { free: 'left' } })
})
afterEach(() => takeAway())

test('the store takes a new kind with its derived fields, and a snapshot without it empties it', () => {
  const volumes = 'volumes' as RecordKind
  const store = createLiveStore((run) => run())
  const frames = createFrameApplier(store)
  const records = new Map([['a', { name: 'a', used: 1, total: 3, free: 9 } as never]])
  const writer = createWireWriter('live', 'e', { [volumes]: records })
  frames.apply(arrived(writer.snapshot()))
  expect(store.ids(volumes)).toEqual(['a'])
  expect(store.get(volumes, 'a')).toEqual({ name: 'a', used: 1, total: 3, free: 2 })
  frames.apply(arrived(createWireWriter('live', 'f').snapshot()))
  expect(store.ids(volumes)).toEqual([])
})
