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

function given(...ids: string[]) {
  const store = createLiveStore((run) => run())
  const frames = createFrameApplier(store)
  const hosts = () => store.ids('dockerHosts')
  const apply = (frame: DeltaFrame) => (frames.apply(frame), hosts())
  apply(snapshot(...ids))
  return { apply, hosts }
}

describe('[spec 1 §4] container-host list handling', () => {
  test('an update without hosts is no empty list: they stay, however many come', () => {
    const { apply } = given('a', 'b')
    for (let rev = 0; rev < 4; rev++) expect(apply(update(rev, {}))).toEqual(['a', 'b'])
    expect(apply(update(4, { remove: { dockerHosts: [] } }))).toEqual(['a', 'b'])
  })

  test('an initial state without hosts empties the list', () => {
    const { apply } = given('a')
    expect(apply(snapshot())).toEqual([])
  })

  test('none was seen before: the list is empty', () => expect(given().hosts()).toEqual([]))

  test('hosts that are named as gone are gone at once, the last one too', () => {
    const { apply } = given('a', 'b')
    expect(apply(update(0, { remove: { dockerHosts: [0] } }))).toEqual(['b'])
    expect(apply(update(1, { remove: { dockerHosts: [1] } }))).toEqual([])
  })

  test('a list that is null is ignored', () => {
    const { apply } = given('a')
    expect(apply(update(0, { add: { dockerHosts: null }, remove: { dockerHosts: null } }))).toEqual(['a'])
  })

  test.each([
    ['an update', update(0, { remove: { dockerHosts: 7 } })],
    ['an initial state', { ...snapshot(), index: { dockerHosts: null } } as unknown as DeltaFrame],
  ])('%s in which it is no list is ignored as a whole', (_what, frame) => {
    const { apply, hosts } = given('a')
    expect(() => apply(frame)).toThrow()
    expect(hosts()).toEqual(['a'])
  })
})
