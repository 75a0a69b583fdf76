// This file serves tests only, like the packages it needs.
import type { HistorySeries } from '@pulse/contract'
import { type KeepMs, type SampledField, sampledFields, usualKeepMs } from '@pulse/domain'
import { aGuest, fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, vi } from 'vitest'
import { firstMeta } from '../state/first-meta.ts'
import { createState } from '../state/state.ts'
import { within } from '../../../../scripts/test-limits.ts'
import { createHistory, type History } from './history.ts'

export const T0 = Date.UTC(2026, 0, 5, 12)
export const cpu = sampledFields.find(({ kind, name }) => kind === 'guests' && name === 'cpu') as SampledField

/** All samples of a guest until then, as JSON. */
export const samplesOf = (history: History, id: string, to: number) =>
  history.series('guests', [{ id, shown: id }], [cpu], {
    tier: 'raw',
    from: 0,
    to,
    until: to,
    asOf: to,
    most: Infinity,
  })

export async function given({
  disk,
  reserveBytes = 0,
  expectedFaults = 0,
  keepMs = () => usualKeepMs,
}: { disk?: string; reserveBytes?: number; expectedFaults?: number; keepMs?: () => KeepMs } = {}) {
  const dir = disk ?? fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-history-'))
  const clock = fakeClock(T0)
  const file = path.join(dir, 'history.db')
  const troubles: (string | undefined)[] = []
  const faults: unknown[] = []
  const opened: { isNew: boolean; keptAside?: string | undefined }[] = []
  const fault = { isSet: false }
  const state = createState(firstMeta(0, '0', []))
  let history: History
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
      keepMs,
      onFault: (error) => faults.push(error),
      onOpened: (one) => opened.push(one),
      onTrouble: (text) => void (troubles.at(-1) !== text && troubles.push(text)),
    })
    history.start()
    // the first tick opens the file
    await clock.advance(1_000)
    await vi.waitFor(() => expect(history.figures()).toMatchObject({ owed: 0, ticks: 1 }), within(20_000))
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
    /** its samples, in parts of a thousand */
    async cpu(id = 'main:100') {
      const json = await samplesOf(history, id, clock.now() + 1)
      const [series] = JSON.parse(Buffer.from(json).toString()) as HistorySeries[]
      return series!.points.map(({ mean }) => Math.round(mean * 1_000))
    },
    async restart() {
      await history.stop()
      await open()
    },
  }
}
