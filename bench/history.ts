import { fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { startServer } from '../scripts/estate.mjs'
import { productFlags } from '../scripts/product.mjs'
import { deltaClient } from './clients.ts'
import { asAdmin, ended, pause, serverEnv, startEstate } from './estate.ts'
import { demandMeasured, percentile } from './figures.ts'
import { measureAnswers } from './history-answers.ts'
import type { HistoryFigures } from './history-report.ts'
import { watchMachine } from './machine.ts'
import { clustersOf } from './scenarios.ts'
import { isComplete } from './state-call.ts'
import { watched } from './watched.ts'

/** A month, what comes after it until now, or the hours that are not in blocks yet. */
export interface HistoryOrder {
  do: 'month' | 'untilNow' | 'hours'
  file: string
  guests: number
  endsAt: number
}

export interface HistoryFilled {
  things: number
  /** of the last day */
  samples: number
  fileBytes: number
  sampleMsPerTick?: number
  encodeMsPerTick?: number
  /** of the last day, in each tier */
  dayBytes?: { raw: number; minute: number; quarter: number }
  /** of all days */
  daysBytes?: number
}

const dayMs = 86_400_000
const series = 100
const starts = 7
const historyOff = pathToFileURL(path.join(import.meta.dirname, 'history-off.mjs')).href
const clients = 5
const settleMs = 25_000
/** Reaches over the first maintenance of the history, a minute after the start. */
const watchedMs = 100_000

/** Its disk and its reading have budgets up to this size. */
const mostRead = 2_500

/** Measures what the history of an estate costs: on disk, in CPU and memory, and to read. */
export async function measureHistory(guests: number, product: string): Promise<HistoryFigures> {
  console.log(`history of ${guests.toLocaleString('en')} guests …`)
  const machine = watchMachine([process.pid])
  const kept = guests <= mostRead ? await measureKept(guests, product) : {}
  const withHistory = await memoryOf(guests, product, true)
  const without = await memoryOf(guests, product, false)
  return demandMeasured({
    guests,
    ...kept,
    memory: { withMB: withHistory.rssMB, withoutMB: without.rssMB },
    longestBlock: { withMs: withHistory.longestBlockMs, withoutMs: without.longestBlockMs },
    machine: machine.end(),
  })
}

/** A month on disk, and how fast it is read. */
async function measureKept(
  guests: number,
  product: string,
): Promise<Pick<HistoryFigures, 'kept' | 'read' | 'start' | 'answers'>> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-bench-'))
  try {
    const file = path.join(dataDir, 'history.db')
    const endsAt = Math.floor((Date.now() - 600_000) / dayMs) * dayMs
    const filled = await fill({ do: 'month', file, guests, endsAt })
    const read = await measureReading(dataDir, guests, endsAt, product)
    await fill({ do: 'untilNow', file, guests, endsAt })
    const copy = path.join(dataDir, 'until-now.db')
    fs.copyFileSync(file, copy)
    const start = await measureStarts(dataDir, product)
    const answers = await answersOf(guests, product, copy, endsAt)
    const { dayBytes, daysBytes, samples, sampleMsPerTick, encodeMsPerTick } = filled
    const { raw, minute, quarter } = dayBytes!
    return {
      kept: {
        samplesPerDay: samples,
        bytesPerSample: raw / samples,
        samplingPercent: (sampleMsPerTick! + encodeMsPerTick!) / 100,
        sampleMsPerTick: sampleMsPerTick!,
        encodeMsPerTick: encodeMsPerTick!,
        yearBytes: raw + 14 * minute + 366 * quarter + (366 / 30) * daysBytes!,
        minuteBytesPerDay: minute,
        quarterBytesPerDay: quarter,
      },
      read,
      start,
      answers,
    }
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
}

async function fill(order: HistoryOrder): Promise<HistoryFilled> {
  const child = fork(path.join(import.meta.dirname, 'history-process.ts'), { execArgv: productFlags })
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`not measured: the process that fills the history ended with code ${code}`)
  })
  try {
    child.send(order)
    const [filled] = (await Promise.race([once(child, 'message'), died])) as [HistoryFilled]
    return filled
  } finally {
    died.catch(() => undefined)
    child.disconnect()
  }
}

/** One series at a time, by the call of a chart of full width. */
async function measureReading(
  dataDir: string,
  guests: number,
  endsAt: number,
  product: string,
): Promise<HistoryFigures['read'] & object> {
  const env = { ...serverEnv(dataDir), HISTORY_RAW_HOURS: '168' }
  const { child, url } = await startServer(env, product)
  try {
    // the history is opened a second after the start
    await pause(5_000)
    const timesOf = async (tier: string, fromMs: number, mostPoints: number) => {
      const times: number[] = []
      let points = 0
      for (let n = 0; n < series; n++) {
        const query = new URLSearchParams({
          kind: 'guests',
          ids: `bench:${100 + ((n * 7) % guests)}`,
          fields: 'cpu',
          from: String(endsAt - fromMs),
          to: String(endsAt),
          points: String(mostPoints),
        })
        const from = performance.now()
        const answer = await fetch(`${url}/api/history/series?${query}`, { headers: asAdmin })
        const body = (await answer.json()) as { tier: string; series: { points: unknown[] }[] }
        times.push(performance.now() - from)
        points += body.series?.[0]?.points.length ?? 0
        if (body.tier !== tier)
          throw new Error(`not measured: ${tier} was asked for, ${JSON.stringify(body).slice(0, 200)}`)
      }
      if (points < (series * mostPoints) / 10) throw new Error(`not measured: ${points} points of ${tier}`)
      // the first calls open connections and compile code
      return percentile(times.slice(10), 0.95)
    }
    return {
      rawDayP95Ms: await timesOf('raw', dayMs, 2_000),
      monthP95Ms: await timesOf('quarter', 30 * dayMs, 400),
    }
  } finally {
    await ended(child)
  }
}

/**
 * From the start of the process to its first answer, and to the first answer of the history. Each process before was
 * killed. By turns, so that a busy machine slows both.
 */
async function measureStarts(dataDir: string, product: string): Promise<HistoryFigures['start'] & object> {
  const times: Record<'withMs' | 'withoutMs' | 'openMs', number[]> = { withMs: [], withoutMs: [], openMs: [] }
  for (let n = 0; n < starts; n++)
    for (const hasHistory of [true, false]) {
      const from = performance.now()
      const { child, url } = await startServer(serverEnv(dataDir, hasHistory ? [] : [historyOff]), product)
      try {
        const health = await fetch(`${url}/api/health`)
        if (!health.ok) throw new Error(`not measured: the server answered ${health.status}`)
        times[hasHistory ? 'withMs' : 'withoutMs'].push(performance.now() - from)
        if (!hasHistory) continue
        const sizes = await fetch(`${url}/api/history/storage`, { headers: asAdmin })
        if (!sizes.ok) throw new Error(`not measured: the history answered ${sizes.status}`)
        times.openMs.push(performance.now() - from)
      } finally {
        child.kill('SIGKILL')
        await ended(child)
      }
    }
  return {
    withMs: percentile(times.withMs, 0.5),
    withoutMs: percentile(times.withoutMs, 0.5),
    openMs: percentile(times.openMs, 0.5),
  }
}

/** The server while it polls the guests of that history. */
async function answersOf(guests: number, product: string, history: string, loggedFrom: number) {
  const loggedTo = fs.statSync(history).mtimeMs
  const before = async (dataDir: string) => fs.copyFileSync(history, path.join(dataDir, 'history.db'))
  const estate = await startEstate(clustersOf(guests), product, undefined, { before })
  try {
    while (!(await isComplete(estate.url, guests))) await pause(200)
    return await measureAnswers(estate, guests, { from: loggedFrom, to: loggedTo })
  } finally {
    await estate.stop()
  }
}

/** The server while it polls, with the samples of an hour that is over and of one under way, or without history. */
async function memoryOf(guests: number, product: string, hasHistory: boolean) {
  const before = async (dataDir: string) => {
    await fill({ do: 'hours', file: path.join(dataDir, 'history.db'), guests, endsAt: Date.now() })
  }
  const given = hasHistory ? { before } : { imports: [historyOff] }
  const estate = await startEstate(clustersOf(guests), product, undefined, given)
  try {
    const { url } = estate
    while (!(await isComplete(url, guests))) await pause(200)
    const open = await Promise.all(Array.from({ length: clients }, () => deltaClient(url)))
    await pause(settleMs)
    const seen = await watched(estate, () => pause(watchedMs))
    for (const client of open) client.close()
    return seen
  } finally {
    await estate.stop()
  }
}
