import type { PlainState } from '@pulse/contract'
import { createWireReader, type Observation, toPlain } from '@pulse/domain'
import { withKind } from '@pulse/testkit'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exportDiagnostics } from '../diagnostics/export.ts'
import { connectLive } from '../testing/live-client.ts'
import { type GivenHub, startHub } from './fixtures.ts'
import { within } from '../../../../scripts/test-limits.ts'

/** What one table entry suffices for. The browser's half is in apps/web/src/live/one-more-kind.test.ts. */
let takeAway: () => void
let given: GivenHub

beforeEach(async () => {
  takeAway = withKind('volumes', {
    slice: 'live',
    round: { used: 'bytes' },
    plain: { list: 'volumes', order: ['name'] },
    exported: 1,
  })
  given = await startHub()
})
afterEach(async () => {
  await given.stop()
  takeAway()
})

const say = (...volumes: { name: string; used: number }[]) =>
  given.state.observe({
    source: 'agent-1',
    records: {
      volumes: new Map(volumes.map((one) => [one.name, { ...one, source: 'agent-1' }])),
    } as Observation['records'],
  })
const until = (probe: () => void) => vi.waitFor(probe, { timeout: within(30_000), interval: 10 })

test('one more kind reaches a client of the documented protocol, in its order and without what is only inside', async () => {
  say({ name: 'b', used: 2 }, { name: 'a', used: 1 })
  const client = await connectLive(given.url)
  await until(() => expect(client.texts.map(({ type }) => type)).toContain('initialState'))
  expect(client.texts.at(-1)!.data).toMatchObject({
    volumes: [
      { name: 'a', used: 1 },
      { name: 'b', used: 2 },
    ],
  })
  expect(JSON.stringify(client.texts.at(-1)!.data)).not.toContain('agent-1')
})

test('and a client of the compact protocol, field by field and rounded as its entry says', async () => {
  say({ name: 'a', used: 1_000_000 })
  const client = await connectLive(given.url, { delta: true })
  await until(() => expect(client.deltas).toHaveLength(1))
  say({ name: 'a', used: 1_000_001 })
  say({ name: 'a', used: 2_000_001 })
  await until(() => expect(client.deltas.length).toBeGreaterThan(1))
  expect(client.deltas[1]).toMatchObject({ set: { volumes: { used: { i: [0], v: [2_000_000] } } } })
  const reader = createWireReader()
  const [first, second] = client.deltas.map((frame) => reader.read(frame))
  expect(first).toMatchObject({ reset: true })
  expect(second).toMatchObject({
    changed: { volumes: { put: new Map([['a', { name: 'a', used: 2_000_000, source: 'agent-1' }]]) } },
  })
})

test('and the export for support, as many as are enough and without their names', async () => {
  say({ name: 'salaries', used: 1 }, { name: 'wages', used: 2 })
  const state = toPlain(given.state.tables, given.state.meta, 0)
  const empty = { diagnostics: {}, product: {}, connections: [], alsoKnown: [] } as never
  const file = (mode: 'full' | 'sanitized') =>
    exportDiagnostics(mode, { ...(empty as object), state } as never, 0) as Promise<{ state: PlainState }>
  expect((await file('full')).state).toMatchObject({ volumes: [{ name: 'salaries', used: 1 }] })
  expect((await file('sanitized')).state).toMatchObject({ volumes: [{ name: '[name-1]', used: 1 }] })
})
