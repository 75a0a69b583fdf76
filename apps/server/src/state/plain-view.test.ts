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

const parsed = async (bytes: Promise<Buffer>) => JSON.parse(String(await bytes)) as PlainState

test('what is put together in steps is the documented state', async () => {
  const { state, say, view } = filled()
  const expected = () => JSON.parse(JSON.stringify(toPlain(state.tables, state.meta, clock.now()))) as unknown
  expect(await parsed(view.json())).toEqual(expected())
  PlainState.parse(await parsed(view.json()))
  say([aGuest({ vmid: 101, cpu: 0.9 }), ...guests.slice(2)])
  expect(JSON.parse(String(await view.frame('rawData')))).toEqual({ type: 'rawData', data: expected() })
  await clock.advance(5_000)
  expect(await parsed(view.json())).toEqual(expected())
  expect(JSON.parse(String(await promisify(gunzip)(await view.gzip())))).toEqual(expected())
  expect(JSON.parse(String(await view.frame('initialState')))).toEqual({
    type: 'initialState',
    data: expected(),
  })
})

test('[design 9] all clients get the same bytes for a second, however often the state changes', async () => {
  const { say, view } = filled()
  const seen = new Set<Buffer>()
  for (let n = 0; n < 20; n++) {
    say([aGuest({ vmid: 100, cpu: n / 20 })])
    seen.add(await view.json())
    await clock.advance(30)
  }
  expect(seen.size).toBe(1)
})

/** Enough event loop turns for all work in steps. */
async function turns() {
  for (let n = 0; n < 200; n++) await new Promise<void>((resolve) => void setImmediate(resolve))
}

test('while clients ask, the next ones are made before these are too old; then nothing is made', async () => {
  const { state } = filled()
  let reads = 0
  const counting = createPlainView(
    {
      ...state,
      get tables() {
        reads++
        return state.tables
      },
    },
    clock,
  )
  await counting.json()
  for (let n = 0; n < 40; n++) {
    await clock.advance(100)
    await turns()
    const before = reads
    await counting.json()
    expect(reads).toBe(before)
  }
  expect(reads).toBeLessThanOrEqual(1 + 4_000 / 700)
  for (let s = 0; s < 10; s++) {
    await clock.advance(1_000)
    await turns()
  }
  const rest = reads
  await clock.advance(120_000)
  expect(reads).toBe(rest)
})

test('what all clients are sent after an event includes it, even if it was asked for while another was made', async () => {
  const { say, view } = filled()
  const early = view.frame('rawData')
  say([])
  expect((JSON.parse(String(await view.frame('rawData'))) as { data: PlainState }).data.vms).toEqual([])
  expect((JSON.parse(String(await early)) as { data: PlainState }).data.vms).toHaveLength(2)
})

test('a state that changes while it is put together is the one of the beginning, in all its lists', async () => {
  const { state, say, view } = filled()
  const many = Array.from({ length: 1_000 }, (_, n) => aGuest({ vmid: n + 1 }))
  say(many)
  const expected = JSON.parse(JSON.stringify(toPlain(state.tables, state.meta, clock.now()))) as unknown
  const bytes = view.json()
  say([])
  state.forget('main')
  expect(await parsed(bytes)).toEqual(expected)
})
