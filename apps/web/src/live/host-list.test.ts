import type { DeltaFrame } from '@pulse/contract'
import { aDockerHost } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { createFrameApplier } from './socket.ts'
import { createLiveStore } from './store.ts'

const epoch = { s: 'live', epoch: 'e' } as const

const snapshot = (...ids: string[]) =>
  ({
    ...epoch,
    t: 'snapshot',
    rev: 0,
    index: { dockerHosts: ids, nodes: [] },
    state: { dockerHosts: ids.map((id) => aDockerHost({ id })), nodes: [] },
  }) as unknown as DeltaFrame

const update = (from: number, change: object) =>
  ({ ...epoch, t: 'patch', from, rev: from + 1, ...change }) as unknown as DeltaFrame

function setup(...ids: string[]) {
  const store = createLiveStore((run) => run())
  const frames = createFrameApplier(store)
  const hosts = () => store.ids('dockerHosts')
  const apply = (frame: DeltaFrame) => (frames.apply(frame), hosts())
  apply(snapshot(...ids))
  return { apply, hosts }
}

describe('[spec 1 §4] container-host list handling', () => {
  test('an update without hosts leaves the list as it is', () => {
    const { apply } = setup('a', 'b')
    for (let rev = 0; rev < 4; rev++) expect(apply(update(rev, {}))).toEqual(['a', 'b'])
    expect(apply(update(4, { remove: { dockerHosts: [] } }))).toEqual(['a', 'b'])
  })

  test('an initial state without hosts empties the list', () => {
    const { apply } = setup('a')
    expect(apply(snapshot())).toEqual([])
  })

  test('without an earlier list it is empty', () => expect(setup().hosts()).toEqual([]))

  test('removed hosts disappear at once, the last one too', () => {
    const { apply } = setup('a', 'b')
    expect(apply(update(0, { remove: { dockerHosts: [0] } }))).toEqual(['b'])
    expect(apply(update(1, { remove: { dockerHosts: [1] } }))).toEqual([])
  })

  test('a list that is null is ignored', () => {
    const { apply } = setup('a')
    expect(apply(update(0, { add: { dockerHosts: null }, remove: { dockerHosts: null } }))).toEqual(['a'])
  })

  test.each([
    ['an update', update(0, { remove: { dockerHosts: 7 } })],
    ['an initial state', { ...snapshot(), index: { dockerHosts: null } } as unknown as DeltaFrame],
  ])('%s in which it is no list is ignored as a whole', (_what, frame) => {
    const { apply, hosts } = setup('a')
    expect(() => apply(frame)).toThrow()
    expect(hosts()).toEqual(['a'])
  })
})
