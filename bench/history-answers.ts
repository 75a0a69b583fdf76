import {
  type AlertConfig,
  type BackTest,
  getAlertConfig,
  getCharts,
  getHistoryTrends,
  type PastState,
} from '@pulse/contract'
import { asAdmin, type Estate, pause } from './estate.ts'
import { percentile } from './figures.ts'
import { watched } from './watched.ts'

const rounds = 20
/** The answer of a tick is kept until the next one, so each is asked for once. The first ones compile code. */
const trendTicks = 12
const compilingTicks = 2
const tickMs = 10_000
const backTests = 5
/** Things get their numbers with the first ticks of the history, and the first state follows. */
const firstMs = 90_000
/** Low enough that thousands of alerts would fire. */
const trigger = 45

/** Answers of the history about a whole estate that is polled. */
export interface HistoryAnswers {
  trendsP95Ms: number
  /** compressed */
  trendsBytes: number
  stateP95Ms: number
  /** the documented charts of 24 hours, uncompressed, and the longest block of the event loop meanwhile */
  chartsMs: number
  chartsBytes: number
  chartsBlockMs: number
  backTestMs: number
  backTestAlerts: number
}

/** `logged`: when the log of changes begins, and when the server has gone on with it. */
export async function measureAnswers(
  estate: Estate,
  guests: number,
  logged: { from: number; to: number },
): Promise<HistoryAnswers> {
  const { url } = estate
  await pause(firstMs)
  const trends = await timed(
    trendTicks,
    async () => {
      const query = new URLSearchParams({ kind: 'guests', fields: 'cpu' })
      const answer = await fetch(`${url}${getHistoryTrends.path}?${query}`, { headers: asAdmin })
      const { ids } = (await answer.json()) as { ids: string[] }
      // templates have no load
      if (ids.length < 0.9 * guests) throw new Error(`not measured: trends of ${ids.length} guests`)
      return Number(answer.headers.get('content-length'))
    },
    tickMs,
  )
  const state = await timed(rounds, async (n) => {
    // The earliest moments are the next to the start of the log, the latest have all of its changes.
    const at = Math.round(logged.from + 120_000 + ((logged.to - logged.from - 240_000) * n) / rounds)
    const answer = await fetch(`${url}/api/history/state?at=${at}`, { headers: asAdmin })
    const { frame } = (await answer.json()) as PastState
    const { length } = frame?.index['guests'] ?? []
    if (length < 0.9 * guests) throw new Error(`not measured: a state of ${length} guests`)
    return length
  })
  const charts = await watched(estate, () =>
    timed(1, async () => {
      const headers = { ...asAdmin, 'accept-encoding': 'identity' }
      const answer = await fetch(`${url}${getCharts.path}?range=24h`, { headers })
      const body = await answer.arrayBuffer()
      const { data } = JSON.parse(Buffer.from(body).toString()) as { data: Record<string, unknown> }
      const { length } = Object.keys(data)
      if (length < 0.9 * guests) throw new Error(`not measured: charts of ${length} guests`)
      return body.byteLength
    }),
  )
  const found = await (await fetch(`${url}${getAlertConfig.path}?keys=stable`, { headers: asAdmin })).json()
  const config = found as AlertConfig
  config.guestDefaults.cpu = { trigger, clear: trigger - 5 }
  const played = await timed(backTests, async () => {
    const answer = await fetch(`${url}/api/history/back-test`, {
      method: 'POST',
      headers: { ...asAdmin, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'guests', metric: 'cpu', config }),
    })
    const body = (await answer.json()) as BackTest
    if (!(body.total > 100)) throw new Error(`not measured: ${JSON.stringify(body).slice(0, 200)}`)
    return body.total
  })
  return {
    trendsP95Ms: percentile(trends.times.slice(compilingTicks), 0.95),
    trendsBytes: trends.last,
    stateP95Ms: percentile(state.times, 0.95),
    chartsMs: charts.result.times[0]!,
    chartsBytes: charts.result.last,
    chartsBlockMs: charts.longestBlockMs,
    backTestMs: Math.max(...played.times),
    backTestAlerts: played.last,
  }
}

async function timed(count: number, ask: (n: number) => Promise<number>, apartMs = 0) {
  const times: number[] = []
  let last = 0
  for (let n = 0; n < count; n++) {
    const from = performance.now()
    last = await ask(n)
    times.push(performance.now() - from)
    await pause(apartMs)
  }
  return { times, last }
}
