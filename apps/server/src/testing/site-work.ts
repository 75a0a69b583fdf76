import { mainSite } from '@pulse/contract'
import { expect } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import type { Bus } from '../cluster/nats/bus.ts'
import { createFrameSender } from '../cluster/frames/frame-sender.ts'
import { demandFrameStream } from '../cluster/frames/frame-stream.ts'
import { makeLeaseBucket, openLeases } from '../cluster/leases/leases.ts'
import { makePresenceBucket, openPresence, type ProcessCard } from '../cluster/presence.ts'
import { answerSealed, askSealed } from '../cluster/sites/sealed-questions.ts'
import {
  allSiteAsks,
  framesOf,
  leaseBucketOf,
  presenceBucketOf,
  siteIn,
  siteSubjects,
  streamName,
} from '../cluster/nats/subjects.ts'
import { realClock } from '../edges.ts'
import { createVault } from '../seal.ts'

/** What a process of that site says of itself. */
export const aCard = (id: string, site: string): ProcessCard => ({
  id,
  host: id,
  version: '1.0.0',
  site,
  roles: ['collect'],
  startedAt: 1,
  leads: false,
  sources: 0,
  waiting: 0,
})

const limit = { timeout: within(60_000) }
const onFault = (error: unknown) => {
  throw error
}

/** What processes with a database make for these sites. */
export async function makeForSites(bus: Bus, replicas: number, sites: readonly string[]): Promise<void> {
  await demandFrameStream(bus, replicas)
  for (const site of [mainSite, ...sites]) {
    await makeLeaseBucket(bus, leaseBucketOf(site), replicas)
    await makePresenceBucket(bus, presenceBucketOf(site), replicas)
  }
}

interface SiteWork {
  /** of the collector */
  bus: Bus
  /** of the process that leads */
  home: Bus
  site: string
  source: string
  /** of the site */
  key: Buffer
}

/** Does what a collector elsewhere does all the time: claim, be seen, send, ask. */
export async function workAsCollector({ bus, home, site, source, key }: SiteWork): Promise<void> {
  const leases = await openLeases({ bus, holder: source, site, clock: realClock, mayMake: false, onFault })
  const lease = await leases.claim({ site, source }, () => {})
  expect((await leases.holders(site)).get(source)).toBe(source)
  const presence = await openPresence({
    bus,
    own: () => aCard(source, site),
    clock: realClock,
    mayMake: false,
    onFault,
  })
  expect((await presence.list()).map(({ id }) => id)).toContain(source)
  const sender = createFrameSender({ bus, site, source, fence: lease!.fence, clock: realClock, onFault })
  sender.offer({ records: { guests: new Map() } })
  const kept = () =>
    home.manager.streams
      .getMessage(streamName, { last_by_subj: framesOf(site, source) })
      .then((message) => message?.header.get('Pulse-Fence'))
      .catch(() => undefined)
  await expect.poll(kept, limit).toBe(lease!.fence)
  sender.stop()

  const vault = createVault(key)
  const end = answerSealed({
    bus: home,
    subject: allSiteAsks,
    lineOf: (subject) => siteSubjects(siteIn(subject)),
    vaultOf: async () => vault,
    answer: async (question, subject) => ({ question, of: siteIn(subject) }),
    onRefused: () => {},
  })
  // the other servers learn a moment later who listens
  const ask = () =>
    askSealed({ bus, clock: realClock }, siteSubjects(site), vault, 'q', 1_000).catch(() => undefined)
  await expect.poll(ask, limit).toEqual({ question: 'q', of: site })
  end()
  await presence.leave()
  await lease!.release()
}
