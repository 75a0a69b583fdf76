import type { NodeTest, SourceKind } from '@pulse/contract'
import type { Clock, Connection } from '@pulse/domain'
import type { Collector } from '../../collectors/source.ts'
import type { Bus } from '../nats/bus.ts'
import type { PresentProcess } from '../presence.ts'
import { askSealed, NoAnswer } from './sealed-questions.ts'
import type { SiteKeys } from './site-keys.ts'
import { SiteTestResult, toSent } from './site-wire.ts'
import { siteSubjects } from '../nats/subjects.ts'

/** A test of a connection has ended by then, with an answer or without one. */
const limitMs = 60_000

export interface SiteTestEdges {
  bus: Pick<Bus, 'nats'>
  clock: Pick<Clock, 'after'>
  /** the site of this process */
  own: string
  keys: Pick<SiteKeys, 'vaultOf'>
  present: () => Promise<readonly PresentProcess[]>
}

type Collectors = Record<SourceKind, Collector>

/** Collectors that test a connection where it is collected, if only collectors without a database can reach it. */
export function testedAtSites(collectors: Collectors, edges: SiteTestEdges): Collectors {
  const { bus, clock, own, keys, present } = edges

  /** Undefined: this process tests it itself. */
  async function testAt({ site, ...rest }: Connection): Promise<NodeTest | undefined> {
    if (site === undefined || site === own) return undefined
    const there = (await present()).filter((one) => one.site === site && one.roles.includes('collect'))
    if (there.length > 0 && there.every(({ isRemote }) => !isRemote)) return undefined
    const vault = await keys.vaultOf(site)
    if (!vault) return undefined
    if (there.length === 0) return failed(missing(site))
    const { tasks, results } = siteSubjects(site)
    const line = { asks: tasks, answers: results }
    try {
      return SiteTestResult.parse(
        await askSealed({ bus, clock }, line, vault, { test: toSent({ ...rest, site }) }, limitMs),
      )
    } catch (error) {
      if (error instanceof NoAnswer) return failed(missing(site))
      return failed(`The collector of the site ${site} gave no valid answer. Its log has the reason.`)
    }
  }

  const kinds = Object.entries(collectors) as [SourceKind, Collector][]
  return Object.fromEntries(
    kinds.map(([kind, collector]) => [
      kind,
      {
        ...collector,
        async test(connection, testing) {
          const answered = await testAt(connection).catch((error: unknown) =>
            failed(`The site ${connection.site} cannot be asked: ${(error as Error).message}`),
          )
          return answered ?? collector.test(connection, testing)
        },
      } satisfies Collector,
    ]),
  ) as Collectors
}

const failed = (message: string): NodeTest => ({ status: 'error', message })

const missing = (site: string) =>
  `No collector of the site ${site} answers, so the connection cannot be tested from there. Start a collector with PULSE_SITE=${site}, or check its line to NATS.`
