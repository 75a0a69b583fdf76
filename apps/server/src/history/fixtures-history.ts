// This file serves tests only, like the packages it needs.
import { type HistorySeries, META_ID } from '@pulse/contract'
import { type KeepMs, type SampledField, sampledFields, usualKeepMs } from '@pulse/domain'
import { aGuest, fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, vi } from 'vitest'
import type { SamplesElsewhere } from '../samples/settings.ts'
import { firstMeta } from '../state/first-meta.ts'
import { createState } from '../state/state.ts'
import { hasVictoriaMetrics, startVictoriaMetrics } from '../testing/victoria-metrics.ts'
import { within } from '../../../../scripts/test-limits.ts'
import { createHistory, type History } from './history.ts'

export const T0 = Date.UTC(2026, 0, 5, 12)
export const cpu = sampledFields.find(({ kind, name }) => kind === 'guests' && name === 'cpu') as SampledField

const pulse = sampledFields.find(
  ({ kind, name }) => kind === 'meta' && name === 'liveClients',
) as SampledField

/** All samples until then, as JSON. */
const seriesOf = (history: History, field: SampledField, id: string, to: number) =>
  history.series(field.kind, [{ id, shown: id }], [field], {
    tier: 'raw',
    from: T0 - 86_400_000,
    to,
    until: to,
    asOf: to,
    most: Infinity,
  })

/** All samples of a guest until then, as JSON. */
export const samplesOf = (history: History, id: string, to: number) => seriesOf(history, cpu, id, to)

const pointsOf = (json: Uint8Array) =>
  (JSON.parse(Buffer.from(json).toString()) as HistorySeries[]).flatMap(({ points }) => points)

/** Where samples can be. What the calls of the history promise holds for each of them. */
export const stores = [
  { store: 'history.db', isThere: true, start: () => Promise.resolve(undefined) },
  {
    store: 'VictoriaMetrics',
    isThere: hasVictoriaMetrics(),
    async start() {
      const server = await startVictoriaMetrics()
      onTestFinished(() => server.remove())
      return { ...server, samples: { settings: { url: server.url }, mayWrite: () => true } }
    },
  },
]

export async function given({
  disk,
  reserveBytes = 0,
  expectedFaults = 0,
  keepMs = () => usualKeepMs,
  elsewhere,
}: {
  disk?: string
  reserveBytes?: number
  expectedFaults?: number
  keepMs?: () => KeepMs
  /** the store that has the samples instead of history.db */
  elsewhere?: { samples: SamplesElsewhere; settle(): Promise<void> } | undefined
} = {}) {
  const dir = disk ?? fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-history-'))
  const clock = fakeClock(T0)
  const file = path.join(dir, 'history.db')
  const troubles: (string | undefined)[] = []
  const faults: unknown[] = []
  const opened: { isNew: boolean; keptAside?: string | undefined }[] = []
  const fault = { isSet: false }
  const state = createState(firstMeta(0, '0', []))
  let history: History
  let tickedAt = T0
  const open = async () => {
    history = createHistory({
      tables: {
        ...state.tables,
        guests: new Proxy(state.tables.guests, {
          get(guests, name) {
            if (fault.isSet) throw new Error('a fault')
            const value = Reflect.get(guests, name, guests) as unknown
            return typeof value === 'function' ? (value.bind(guests) as unknown) : value
          },
        }),
      },
      clock,
      log: pino({ level: 'silent' }),
      file,
      reserveBytes,
      samples: elsewhere?.samples,
      keepMs,
      onFault: (error) => faults.push(error),
      onOpened: (one) => opened.push(one),
      onTrouble: (text) => void (troubles.at(-1) !== text && troubles.push(text)),
    })
    history.start()
    // the first tick opens the file
    await clock.advance(1_000)
    await vi.waitFor(() => expect(history.figures()).toMatchObject({ owed: 0, ticks: 1 }), within(20_000))
    tickedAt = clock.now()
  }
  onTestFinished(async () => {
    await history.stop()
    if (!disk) fs.rmSync(dir, { recursive: true, force: true })
    expect(faults).toHaveLength(expectedFaults)
  })
  const guest = (change: Parameters<typeof aGuest>[0] = {}, source = 'main') =>
    state.observe({
      source,
      records: {
        guests: new Map([[`${source}:100`, aGuest({ source, vmid: 100, name: 'web', ...change })]]),
      },
      state: { name: 'prod', kind: 'pve', health: 'healthy', lastSeen: clock.now() },
    })
  async function tick() {
    const before = history.figures().ticks
    await clock.advance(10_000)
    await vi.waitFor(
      () => expect(history.figures()).toMatchObject({ owed: 0, ticks: before + 1 }),
      within(20_000),
    )
    tickedAt = clock.now()
  }
  /** The samples of the last tick can be read. */
  async function settled() {
    if (!elsewhere) return
    await vi.waitFor(
      async () => {
        await elsewhere.settle()
        const points = pointsOf(await seriesOf(history, pulse, META_ID, clock.now() + 1))
        expect(points.at(-1)?.at).toBe(tickedAt)
      },
      { timeout: within(30_000), interval: 20 },
    )
  }
  /** so many ticks, each after an answer with that load */
  async function ticks(loads: readonly number[], change: Parameters<typeof aGuest>[0] = {}, source = 'main') {
    for (const load of loads) {
      guest({ cpu: load, ...change }, source)
      await tick()
    }
  }
  await open()
  return {
    clock,
    fault,
    faults,
    file,
    troubles,
    opened,
    state,
    guest,
    tick,
    ticks,
    history: () => history,
    settled,
    /** its samples, in parts of a thousand */
    async cpu(id = 'main:100') {
      await settled()
      const points = pointsOf(await samplesOf(history, id, clock.now() + 1))
      return points.map(({ mean }) => Math.round(mean * 1_000))
    },
    async restart() {
      await history.stop()
      await open()
    },
  }
}
