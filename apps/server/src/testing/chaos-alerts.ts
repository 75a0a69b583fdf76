import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { realClock } from '../edges.ts'
import { aContainer, aReport } from '../docker/fixtures.ts'
import { pause } from '../timing/pause.ts'
import type { DoneFault } from './chaos-faults.ts'
import type { CallWithin } from './chaos-calls.ts'

export interface Message {
  channel: string
  event: string
  eventId: string
  /** names of containers */
  names: readonly string[]
  /** monotonic */
  at: number
}

/** So that deliveries are under way for a while, and a fault meets some. */
const latestAnswerMs = 600

/** Receives webhooks, and answers late; the path is the channel. */
export async function startMessageSink(random: () => number): Promise<{
  url: string
  received: Message[]
  /** `channel event name`, of all that arrived */
  arrived: Set<string>
  close(): void
}> {
  const received: Message[] = []
  const arrived = new Set<string>()
  const closing = new AbortController()
  const server = http.createServer((request, response) => {
    text(request)
      .then(async (body) => {
        const { event, eventId, alerts } = JSON.parse(body) as {
          event: string
          eventId: string
          alerts: { resourceName: string }[]
        }
        const channel = new URL(request.url!, 'http://sink').pathname.slice(1)
        const names = alerts.map(({ resourceName }) => resourceName)
        received.push({ channel, event, eventId, names, at: performance.now() })
        for (const name of names) arrived.add(`${channel} ${event} ${name}`)
        await pause(realClock, random() * latestAnswerMs, closing.signal)
        return response.end()
      })
      // the sender was killed in the middle
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    arrived,
    close() {
      closing.abort()
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The estate of the lab has alerts of its own. */
const isOwnName = (name: string) => /^c\d+$/.test(name)

const reportMs = 2_400
/** New containers, also while reports are refused. */
const perMinute = 50

export interface ComingAlerts {
  /** all containers that ever were */
  readonly count: number
  /** those that have not arrived on all channels yet */
  open(): { name: string; waitsFor: string; reports: number }[]
  /** No new ones from now on. */
  fade(): void
  whole: Promise<void>
}

export interface ComingAlertsEdges {
  channels: readonly string[]
  arrived: ReadonlySet<string>
  report: (body: unknown) => ReturnType<CallWithin>
  signal: AbortSignal
}

/**
 * The containers of one host: each becomes unhealthy, well again when all channels got the message, and is removed when
 * they got that message too.
 */
export function comingAlerts({ channels, arrived, report, signal }: ComingAlertsEdges): ComingAlerts {
  let count = 0
  const startedAt = performance.now()
  let isFading = false
  /** by name: the accepted reports since it became unhealthy, and since it is well */
  const present = new Map<string, { isWell: boolean; reports: number }>()
  const isSent = (event: string, name: string) =>
    channels.every((channel) => arrived.has(`${channel} ${event} ${name}`))

  function next() {
    for (const [name, container] of present) {
      if (container.isWell && isSent('resolved', name)) present.delete(name)
      if (!container.isWell && isSent('raised', name)) Object.assign(container, { isWell: true, reports: 0 })
    }
    if (isFading) return
    const due = ((performance.now() - startedAt) / 60_000) * perMinute
    while (count < due) present.set(`c${++count}`, { isWell: false, reports: 0 })
  }

  async function run() {
    while (!signal.aborted) {
      next()
      const containers = [...present].map(([name, { isWell }]) =>
        aContainer({
          id: Number(name.slice(1)).toString(16).padStart(64, '0'),
          name,
          health: isWell ? 'healthy' : 'unhealthy',
        }),
      )
      const sent = [...present.values()]
      const taken = await report(aReport({ id: 'host', containers, timestamp: new Date().toISOString() }))
      if (taken?.ok) for (const container of sent) container.reports++
      await pause(realClock, reportMs, signal)
    }
  }

  return {
    get count() {
      return count
    },
    open: () =>
      [...present].map(([name, { isWell, reports }]) => ({
        name,
        waitsFor: isWell ? 'resolved' : 'raised',
        reports,
      })),
    fade: () => void (isFading = true),
    whole: run(),
  }
}

/** A message that was being delivered when a fault began may come again: it was not known to have arrived. */
const beforeMs = 2_000
const afterMs = 8_000

/**
 * Copies of messages beyond those that faults excuse: one for each fault and channel, if the fault met the message, or
 * its copy, before this one. Neither a clock nor the store of samples has to do with messages.
 */
export function unexcusedCopies(
  received: readonly Message[],
  faults: readonly DoneFault[],
): { copies: number; unexcused: string[] } {
  const met = faults.filter(({ what, target }) => target !== 'samples' && !what.startsWith('clock of'))
  const latest = new Map<string, Message>()
  const excused = new Set<string>()
  const unexcused: string[] = []
  let copies = 0
  for (const message of received) {
    const key = `${message.channel} ${message.eventId}`
    const before = latest.get(key)
    latest.set(key, message)
    if (!before) continue
    copies++
    const fault = met.findLastIndex(
      ({ from, to = Infinity }, n) =>
        before.at >= from - beforeMs && before.at <= to + afterMs && !excused.has(`${n} ${message.channel}`),
    )
    if (fault >= 0) excused.add(`${fault} ${message.channel}`)
    else
      unexcused.push(
        `${message.channel}: ${message.event} of ${message.names.join()} at ${seconds(before.at)} came again at ${seconds(message.at)}`,
      )
  }
  return { copies, unexcused }
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** Whatever is no raised message followed by one resolved message, of each container on each channel. */
export function wrongOrder(received: readonly Message[]): string[] {
  const wrong: string[] = []
  const known = new Set<string>()
  const last = new Map<string, string>()
  for (const { channel, event, eventId, names, at } of received) {
    if (known.has(`${channel} ${eventId}`)) continue
    known.add(`${channel} ${eventId}`)
    for (const name of names.filter(isOwnName)) {
      const key = `${channel} ${name}`
      const before = last.get(key)
      last.set(key, event)
      const expected = before === undefined ? 'raised' : before === 'raised' ? 'resolved' : 'nothing'
      if (event !== expected) wrong.push(`${key}: ${event} at ${seconds(at)} where ${expected} was due`)
    }
  }
  return wrong
}
