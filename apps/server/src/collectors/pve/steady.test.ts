import type { Connection } from '@pulse/domain'
import { expect, test } from 'vitest'
import { usualPace } from '../source.ts'
import { given, type Given } from './fixtures.ts'

/** Records marked as stale during that much accelerated time, with the time. */
async function alarms({ pass, state, records, logLines, clock }: Given, seconds: number): Promise<string[]> {
  const marked = new Set<string>()
  const from = clock.monotonic()
  const linesBefore = logLines.length
  for (let passed = 0; passed < seconds; passed = (clock.monotonic() - from) / 1000) {
    await pass(0.25)
    const mark = (what: string) => marked.add(`${what} after ${Math.round(passed)} s`)
    if (state().staleSince !== undefined) mark('the source')
    for (const kind of ['nodes', 'guests', 'storage'] as const)
      for (const { id, staleSince } of records(kind)) if (staleSince !== undefined) mark(id)
  }
  if (logLines.slice(linesBefore).some((line) => line.includes('source does not answer')))
    marked.add('in the log')
  return [...marked]
}

test.concurrent(
  '[R7] one listing that fails is no silence, nor is there one a minute later',
  async (context) => {
    const here = await given(context, { nodes: 1, guests: 4, factor: 30 })
    here.start()
    await here.until('the whole picture', here.isComplete, 20)
    await here.pass(60) // the first minute has no calls to spare
    for (const kind of ['status', 'broken-json'] as const) {
      here.lab.control.addFault({ kind, path: '/cluster/resources', times: 1 })
      expect(await alarms(here, 100)).toEqual([])
    }
  },
)

test.concurrent('[R7] changed settings and refreshes are followed by no silence', async (context) => {
  const here = await given(context, { nodes: 1, guests: 4, factor: 30 })
  const running = here.start()
  await here.until('the whole picture', here.isComplete, 20)
  const change: Pick<Connection, 'name' | 'flags'> = { name: 'other', flags: {} }
  running.apply(change)
  expect(await alarms(here, 70)).toEqual([])
  for (let n = 0; n < 6; n++) {
    running.apply(change)
    running.refresh()
    await here.pass(1)
  }
  expect(await alarms(here, 90)).toEqual([])
})

test.concurrent(
  '[R7] answers that take one to three seconds, of a host that measures every 40 s, are fresh',
  async (context) => {
    const here = await given(context, { nodes: 2, guests: 10, factor: 20, loadPeriodMs: 40_000 })
    here.start()
    await here.until('the whole picture', here.isComplete, 20)
    for (const path of ['/cluster/*', '/nodes/*'])
      here.lab.control.addFault({ kind: 'latency', ms: 50, path })
    for (const path of ['/cluster/resources', '/nodes/*/status', '/nodes/*/storage'])
      here.lab.control.addFault({ kind: 'latency', ms: 100, path })
    expect(await alarms(here, 200)).toEqual([])
  },
)

test.concurrent(
  '[R7] a listing that is wanted every minute, of nodes that tell nothing about storages, is fresh for as long',
  async (context) => {
    const adaptive = { baseMs: 40_000, minMs: 40_000, maxMs: 60_000 }
    const pace = () => ({ ...usualPace, adaptive })
    const here = await given(context, { nodes: 1, guests: 4, factor: 40, pace })
    here.lab.control.addFault({ kind: 'status', status: 403, path: '/nodes/*/storage' })
    here.start()
    await here.until('the whole picture', here.isComplete, 20)
    expect(await alarms(here, 200)).toEqual([])
  },
)

test.for([{ status: 403 }, { status: 501 }, { status: 500 }])(
  '[R7] once the listing is refused ($status) its nodes are fresh by another way',
  async ({ status }, context) => {
    const here = await given(context, { nodes: 2, guests: 8, factor: 40 })
    here.start()
    await here.until('the whole picture', here.isComplete, 20)
    await here.pass(40)
    here.lab.control.addFault({ kind: 'status', status, path: '/cluster/resources' })
    await here.pass(60)
    const marked = await alarms(here, 240)
    expect(marked.filter((one) => /^(the source|main-pve\d) |log/.test(one))).toEqual([])
  },
)
