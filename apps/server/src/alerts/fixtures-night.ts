import { type Alert, type AlertHistoryEntry, type NodeConfig, PlainState } from '@pulse/contract'
// This file serves tests only, like the two packages it needs.
import { type Lab, type LabOptions, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { expect, type TestContext } from 'vitest'
import { passingBetweenCalls } from '../testing/calls-under-way.ts'
import { connectLive } from '../testing/live-client.ts'
import { startTestServer } from '../testing/server.ts'

export interface Night {
  lab: Lab
  /** the live events of alerts, in order */
  events: readonly AlertEvent[]
  /** Advances the time to this many ms after the start of the night. */
  until(ms: number): Promise<void>
  /** The history with connection names instead of ids, oldest first. */
  history(): Promise<Episode[]>
  /** The failed backup runs of single guests. */
  failedBackups(): Promise<FailedBackup[]>
}

/** ms since the night began */
export interface FailedBackup {
  vmid: number
  from: number
  until: number
}

export interface AlertEvent {
  at: number
  id: string
  /** absent: the alert has ended */
  level?: string
  start?: string
}

/** ms since the night began */
export interface Episode {
  id: string
  type: string
  level: string
  /** start of the condition */
  start: number
  /** arrival of its first live event */
  reported: number | undefined
  /** absent: it is still open */
  end?: number
}

/** The whole product and a lab in simulated time, which jumps from event to event. */
export async function givenNight(
  context: Pick<TestContext, 'onTestFinished'>,
  options: LabOptions,
  /** Prepares the lab before Pulse polls it. */
  prepare: (lab: Lab) => void,
): Promise<Night> {
  const factor = 100
  const hosts = new Set<string>()
  let isPassing = false
  const clock = acceleratedClock(
    factor,
    Date.UTC(2026, 0, 1, 21, 30),
    passingBetweenCalls(context, hosts, () => isPassing),
  )
  const lab = await startLab({
    authDelayMs: 3_000 / factor,
    agentHangMs: 8_000 / factor,
    now: clock.now,
    after: clock.after,
    ...options,
  })
  for (const { address } of [...lab.clusters.flatMap(({ nodes }) => nodes), ...lab.pbs]) hosts.add(address)
  prepare(lab)
  const server = await startTestServer(clock)
  context.onTestFinished(async () => {
    await server.stop()
    await lab.close()
  })
  const call = async (method: string, where: string, body?: unknown) => {
    const { status, text, body: answer } = await server.call(method, where, body)
    expect(status, text).toBeLessThan(300)
    return answer
  }

  const startMs = clock.now()
  const startAt = clock.monotonic()
  const at = () => clock.monotonic() - startAt
  const heard: AlertEvent[] = []
  // with several processes, some alerts are raised while the next source is added
  const client = await connectLive(server.url, { delta: true })
  client.socket.on('message', (frame: Buffer, isBinary: boolean) => {
    const { type, data } = isBinary ? {} : (JSON.parse(String(frame)) as { type?: string; data?: unknown })
    if (type === 'alertResolved') heard.push({ at: at(), id: (data as { alertId: string }).alertId })
    if (type !== 'alert') return
    const { id, level, startTime } = data as Alert
    heard.push({ at: at(), id, level, start: startTime })
  })
  await call('POST', '/api/alerts/activate')
  const { tokenId: tokenName, tokenSecret: tokenValue } = lab.credentials
  const { url: host, fingerprint } = lab.clusters[0]!.nodes[0]!
  await call('POST', '/api/config/nodes', {
    type: 'pve',
    name: 'main',
    host,
    fingerprint,
    tokenName,
    tokenValue,
  })
  for (const { name, url, fingerprint: print, credentials } of lab.pbs)
    await call('POST', '/api/config/nodes', {
      type: 'pbs',
      name,
      host: url,
      fingerprint: print,
      tokenName: credentials.tokenId,
      tokenValue: credentials.tokenSecret,
    })
  const configured = (await call('GET', '/api/config/nodes')) as NodeConfig[]
  const named = (id: string) => configured.reduce((text, one) => text.replace(one.id, one.name), id)
  return {
    lab,
    get events() {
      return heard.map((event) => ({ ...event, id: named(event.id) }))
    },
    async until(ms) {
      isPassing = true
      const leftMs = ms - at()
      if (leftMs > 0) await new Promise<void>((resolve) => void clock.after(leftMs, resolve))
      isPassing = false
    },
    async failedBackups() {
      const { pveBackups } = PlainState.parse(await call('GET', '/api/state'))
      return pveBackups.backupTasks.flatMap(({ vmid, status, startTime, endTime }) =>
        vmid === 0 || status === 'OK' || endTime === undefined
          ? []
          : [{ vmid, from: Date.parse(startTime) - startMs, until: Date.parse(endTime) - startMs }],
      )
    },
    async history() {
      const rows = (await call('GET', '/api/alerts/history?limit=0')) as AlertHistoryEntry[]
      return rows
        .map(({ id, type, level, startTime, endTime }) => ({
          id: named(id),
          type,
          level,
          start: Date.parse(startTime) - startMs,
          reported: heard.find((one) => one.id === id && one.start === startTime)?.at,
          ...(endTime !== undefined && { end: Date.parse(endTime) - startMs }),
        }))
        .sort((a, b) => a.start - b.start)
    },
  }
}
