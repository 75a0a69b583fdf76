import { PlainState } from '@pulse/contract'
import { toPlain } from '@pulse/domain'
import { aGuest, aMeta, aNode, aStorage, fakeClock } from '@pulse/testkit'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { createPlainView } from './plain-view.ts'
import { createState } from './state.ts'

const clock = fakeClock()
const guests = [
  aGuest({ vmid: 102, type: 'lxc', name: 'quote " and \u2028' }),
  aGuest({ vmid: 101, disk: { total: 10 } }),
  aGuest({ vmid: 100, status: 'stopped' }),
]

function filled() {
  const state = createState(aMeta())
  const say = (list: typeof guests) =>
    state.observe({
      source: 'main',
      records: {
        guests: new Map(list.map((guest) => [`main:${guest.vmid}`, guest])),
        nodes: new Map([['n', aNode()]]),
        storage: new Map([['s', aStorage()]]),
      },
      state: { name: 'main', kind: 'pve', health: 'healthy', lastSeen: clock.now() },
    })
  say(guests)
  return { state, say, view: createPlainView(state, clock) }
}

test('what is put together from parts is the documented state', async () => {
  const { state, say, view } = filled()
  const expected = () => JSON.parse(JSON.stringify(toPlain(state.tables, state.meta, clock.now()))) as unknown
  expect(JSON.parse(String(view.json()))).toEqual(expected())
  PlainState.parse(JSON.parse(String(view.json())))
  say([aGuest({ vmid: 101, cpu: 0.9 }), ...guests.slice(2)])
  expect(JSON.parse(String(view.json()))).toEqual(expected())
  await clock.advance(5_000)
  expect(JSON.parse(String(view.json()))).toEqual(expected())
  expect(JSON.parse(String(await promisify(gunzip)(await view.gzip())))).toEqual(expected())
})

test('it is built once per change', () => {
  const { say, view } = filled()
  const first = view.json()
  expect(view.json()).toBe(first)
  say([])
  expect(view.json()).not.toBe(first)
})
