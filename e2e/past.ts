import type { Lab, LabControl, LabOptions } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { passingBetweenCalls } from '../apps/server/src/testing/calls-under-way.ts'
import { startTestServer } from '../apps/server/src/testing/server.ts'
import { activateAlerts, connectEstate } from '../scripts/estate.mjs'

/**
 * What happened before a journey begins. Pulse lives through it in simulated time. Between two parts the machine
 * sleeps.
 */
export interface Past {
  /** in the order of time */
  parts: readonly { minutesAgo: number; minutes: number; happen?: (control: LabControl) => void }[]
  /** alerts are active */
  activate?: boolean
  /** runs before the server is connected to the estate */
  prepare?: (call: CallOfPast, control: LabControl) => Promise<unknown>
}

/** as an administrator */
type CallOfPast = (method: string, path: string, body?: unknown) => Promise<unknown>

const minuteMs = 60_000
/** Simulated seconds per real second while a call waits for the lab during a part. */
const factor = 500

/** A clock that begins in the past, for the lab and the server. Once released, it is real time. */
export function pastClock({ parts }: Past) {
  const hosts = new Set<string>()
  const closers: (() => void)[] = []
  let isPassing = false
  let isPast = true
  const onTestFinished = (close: () => void) => void closers.push(close)
  const passing = passingBetweenCalls({ onTestFinished }, hosts, () => isPassing)
  let ticks = 0
  /** Outside of a part, time passes about as fast as real time: a slow start must not use the past up. */
  const passingInParts = () => {
    const how = passing()
    return isPassing || how !== 'flows' || ticks++ % factor === 0 ? how : 'stands'
  }
  const clock = acceleratedClock(factor, Date.now() - parts[0]!.minutesAgo * minuteMs, passingInParts)
  const labOptions: LabOptions = {
    now: () => (isPast ? clock.now() : Date.now()),
    after: (ms, run) => (isPast ? clock.after(ms, run) : inRealTime(ms, run)),
  }
  return {
    clock,
    labOptions,
    /** Time leaps from event to event. */
    async pass(ms: number, lab: Lab) {
      for (const { address } of [...lab.clusters.flatMap(({ nodes }) => nodes), ...lab.pbs, ...lab.pmg])
        hosts.add(address)
      const until = clock.now() + ms
      isPassing = true
      while (clock.now() < until)
        await new Promise<void>((resolve) => {
          clock.after(Math.min(minuteMs, until - clock.now()), resolve)
        })
      isPassing = false
    },
    release() {
      isPast = false
      for (const close of closers) close()
    },
  }
}

interface PastEdges {
  lab: Lab
  env: Record<string, string>
  token: string
  dataDir: string
  /** optional features of the connections; default: none */
  switches?: Parameters<typeof connectEstate>[3]
}

/** Lets Pulse live through the past on its data folder. Afterwards no server runs on it. */
export async function livePast(
  past: Past,
  { clock, pass, release }: ReturnType<typeof pastClock>,
  { lab, env, token, dataDir, switches }: PastEdges,
): Promise<void> {
  try {
    const { server, url, as } = await startTestServer(clock, env, dataDir)
    try {
      const call = as({ 'X-API-Token': token })
      await past.prepare?.(async (...sent) => {
        const { status, text, body } = await call(...sent)
        if (status >= 400) throw new Error(`${sent[0]} ${sent[1]}: ${status} ${text}`)
        return body
      }, lab.control)
      await connectEstate(url, lab, token, switches)
      if (past.activate) await activateAlerts(url, token)
      for (const { minutesAgo, minutes, happen } of past.parts) {
        const beginsAt = Date.now() - minutesAgo * minuteMs
        if (clock.now() < beginsAt) clock.suspend(beginsAt - clock.now())
        happen?.(lab.control)
        await pass(minutes * minuteMs, lab)
      }
    } finally {
      await server.stop()
    }
  } finally {
    release()
  }
}

function inRealTime(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
