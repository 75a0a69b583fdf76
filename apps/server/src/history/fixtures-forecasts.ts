import type { FileSystem, Forecast, ForecastKind } from '@pulse/contract'
import { alertDefaults, type Storage } from '@pulse/contract'
import { createAlertEngine, type SampledField, usualKeepMs } from '@pulse/domain'
import { aGuest, aStorage, fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, vi } from 'vitest'
import { firstMeta } from '../state/first-meta.ts'
import { createState } from '../state/state.ts'
import { within } from '../../../../scripts/test-limits.ts'
import { createForecasts } from './forecasts.ts'
import { createHistory } from './history.ts'

export const T0 = Date.UTC(2026, 0, 5, 12)
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

const log = pino({ level: 'silent' })
export const storageId = 'main:pve1:local'

/** A state with an alert engine that reads it. */
function aServer(clock: ReturnType<typeof fakeClock>) {
  const state = createState(firstMeta(0, '0', []))
  const moment = () => ({ now: clock.now(), monotonic: clock.monotonic() })
  const engine = createAlertEngine({
    tables: state.tables,
    config: alertDefaults,
    newId: () => 'episode',
    moment: moment(),
  })
  let forecastPatches = 0
  state.subscribe((patch) => {
    if (patch.forecasts) forecastPatches++
    engine.apply(patch, moment())
  })
  return { state, alerts: () => [...engine.active().keys()], patches: () => forecastPatches }
}

/** Days of samples in a real file, and the forecasts of it. */
export async function givenDays() {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-forecasts-'))
  const clock = fakeClock(T0)
  const faults: unknown[] = []
  const onFault = (error: unknown) => void faults.push(error)

  function start() {
    const server = aServer(clock)
    const { state } = server
    const history = createHistory({
      tables: state.tables,
      clock,
      log,
      file: path.join(dir, 'history.db'),
      reserveBytes: 0,
      keepMs: () => usualKeepMs,
      onFault,
      onOpened: () => forecasts.restart(),
      onTrouble: () => {},
    })
    const forecasts = createForecasts({ history, state, clock, log, onFault })
    history.start()
    forecasts.start()
    return { ...server, history, forecasts }
  }
  let run = start()
  await tick(1_000)
  async function stop() {
    run.forecasts.stop()
    await run.history.stop()
  }
  onTestFinished(async () => {
    await stop()
    fs.rmSync(dir, { recursive: true, force: true })
    expect(faults).toEqual([])
  })
  /** Lets that time pass, and the thread takes its samples. */
  async function tick(ms: number) {
    const { ticks } = run.history.figures()
    await clock.advance(ms)
    await vi.waitFor(
      () => {
        const now = run.history.figures()
        expect([now.owed, now.ticks > ticks]).toEqual([0, true])
      },
      { timeout: within(20_000), interval: 1 },
    )
  }
  const poll = (usage: number) =>
    run.state.observe({
      source: 'main',
      records: { storage: new Map([[storageId, aStorage({ usage })]]) },
      state: { name: 'prod', kind: 'pve', health: 'healthy', lastSeen: clock.now() },
    })

  return {
    clock,
    /** Polls every half hour. Between two polls the machine sleeps, so that days take seconds. */
    async live(days: number, usage: (at: number) => number) {
      for (let step = 0; step < days * 48; step++) {
        poll(usage(clock.now()))
        await tick(10_000)
        clock.sleep(30 * minuteMs - 10_000)
      }
      poll(usage(clock.now()))
    },
    /** Somewhat more than a minute, in which new things get their numbers. */
    async soon() {
      for (let step = 0; step < 5; step++) await tick(15_000)
    },
    async restart() {
      await stop()
      run = start()
      await tick(1_000)
    },
    poll,
    clear: () => run.history.clear(),
    forecast: () => (run.state.tables.storage.get(storageId) as Storage | undefined)?.forecast,
    alerts: () => run.alerts(),
  }
}

/** Forecasts by a history with prepared answers. */
export function givenAnswers() {
  const clock = fakeClock(T0)
  const server = aServer(clock)
  const { state } = server
  const asked: { kind: string; ids: readonly string[]; fullPercent: number }[] = []
  const faults: unknown[] = []
  const answers = new Map<string, Forecast>()
  const numbers = new Map<string, number>()
  let failure: Error | undefined
  const fileSystems = new Map<string, FileSystem>()
  const history = {
    tables: { ...state.tables, fileSystems },
    numberOf: (_kind: string, id: string) => numbers.get(id),
    forecasts(field: SampledField, ids: readonly string[], fullPercent: number) {
      asked.push({ kind: field.kind, ids, fullPercent })
      if (failure) return Promise.reject(failure)
      return Promise.resolve(ids.map((id) => answers.get(id)))
    },
  }
  const forecasts = createForecasts({
    history,
    state,
    clock,
    log,
    onFault: (error) => void faults.push(error),
  })
  forecasts.start()
  onTestFinished(() => forecasts.stop())

  const records = { storage: aStorage(), guests: aGuest() }
  return {
    ...server,
    clock,
    asked,
    faults,
    answers,
    numbers,
    fileSystems,
    forecasts,
    fail: (error: Error | undefined) => void (failure = error),
    observe: (kind: 'storage' | 'guests', ...ids: string[]) =>
      state.observe({ source: 'main', records: { [kind]: new Map(ids.map((id) => [id, records[kind]])) } }),
    shown: (kind: ForecastKind, id: string) =>
      (state.tables[kind].get(id) as { forecast?: Forecast } | undefined)?.forecast,
    published: () => [...state.tables.forecasts.keys()],
  }
}
