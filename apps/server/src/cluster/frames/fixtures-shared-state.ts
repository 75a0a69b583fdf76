import { headers, type Payload } from '@nats-io/transport-node'
import { aGuest, aMeta } from '@pulse/testkit'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { realClock } from '../../edges.ts'
import { createState } from '../../state/state.ts'
import { type NatsServer, startNats } from '../../testing/nats-server.ts'
import { type Bus, openBus } from '../nats/bus.ts'
import type { Bounds } from './foreign-holdings.ts'
import { type Leases, openLeases } from '../leases/leases.ts'
import { type SharedState, shareState } from './shared-state.ts'
import { framesOf } from '../nats/subjects.ts'

export interface SharingProcess {
  bus: Bus
  shared: SharedState
  leases: Leases
  faults: unknown[]
  names(): string[]
  /** as with kill -9 */
  kill(): Promise<void>
}

/**
 * Processes that share their state over one NATS server. `siteOf`: the site of a source; undefined: not known yet. For use in
 * a `describe`.
 */
export function sharingProcesses(siteOf: (source: string) => string | undefined = () => 'main') {
  let server: NatsServer
  let running: SharingProcess[]
  beforeAll(async () => {
    server = await startNats()
  })
  afterAll(() => server.remove())
  beforeEach(() => {
    running = []
  })
  afterEach(async () => {
    for (const process of running) {
      await process.shared.stop()
      await process.kill()
    }
  })

  async function start(
    name: string,
    site = 'main',
    takesOthers = true,
    mostHeld?: Bounds,
  ): Promise<SharingProcess> {
    const faults: unknown[] = []
    const settings = { servers: [`127.0.0.1:${server.port}`], isEncrypted: false }
    const bus = await openBus(settings, {
      name,
      clock: realClock,
      onLost: () => {},
      onBack: () => void shared.lineIsBack().catch((error: unknown) => faults.push(error)),
    })
    const own = createState(aMeta())
    const shared = await shareState({
      state: own,
      bus,
      site,
      connectionOf(source) {
        const known = siteOf(source)
        return known === undefined ? undefined : { site: known, kind: 'pve', name: source }
      },
      connections: () => [],
      takesOthers,
      ...(mostHeld && { mostHeld }),
      clock: realClock,
      onFault: (error) => void faults.push(error),
      onRefused: (_, why) => void faults.push(why),
    })
    await shared.follow()
    const process: SharingProcess = {
      bus,
      shared,
      leases: await openLeases({
        bus,
        holder: name,
        site: 'main',
        clock: realClock,
        onFault: (error) => void faults.push(error),
      }),
      faults,
      names: () => [...own.tables.guests.values()].map((guest) => guest.name).toSorted(),
      async kill() {
        running = running.filter((one) => one !== process)
        await bus.close()
      },
    }
    running.push(process)
    return process
  }

  return {
    start,
    server: { halt: () => server.halt(), rise: () => server.rise() },
  }
}

/** What a process has collected of a source with one guest of this name. */
export const said = (name: string, source = 's') => ({
  source,
  records: { guests: new Map([[`${source}:1`, aGuest({ source, name })]]) },
  state: { name: source, kind: 'pve', health: 'healthy', lastSeen: 1 } as const,
})

export async function claim({ leases, shared }: SharingProcess, source: string) {
  const lease = await leases.claim({ site: 'main', source }, () => shared.disown(source))
  if (lease) shared.own(source, lease.fence)
  return lease
}

/** Publishes a message about a source in the name of a site. */
export async function forge(
  { bus }: SharingProcess,
  site: string,
  source: string,
  payload: Payload,
  records?: string,
) {
  const own = headers()
  own.set('Pulse-Fence', '000000000000001.0000000000000001')
  own.set('Pulse-Part', '1')
  own.set('Pulse-Parts', '1')
  if (records !== undefined) own.set('Pulse-Records', records)
  await bus.jetstream.publish(framesOf(site, source), payload, { headers: own })
}
