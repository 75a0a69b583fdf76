import { gzipSync } from 'node:zlib'
import { dice, hash } from '../random.ts'
import type { Dice } from '../random.ts'
import { drawDockerHosts } from './draw.ts'
import { reportOf } from './report.ts'
import type { Report } from './report.ts'
import type { DockerHost } from './host.ts'
import { asBytes, asText } from './hostile-bodies.ts'
import { bend } from './hostile-bends.ts'

/** A malicious report. */
export interface HostileReport {
  /** The mistake and the number of the report; stable for a seed. */
  name: string
  headers: Record<string, string>
  body: Buffer
  /** The body is not a report or exceeds the size limit, so the server must refuse it. */
  mustBeRefused: boolean
  /** The report claims to come from the other host. */
  claimsOther: boolean
}

export interface HostileAgents {
  /** Valid reports of both hosts, to enrol them first. */
  own: Report
  other: Report
  /** Generates reports on demand, because some are large. */
  reports(count: number): Generator<HostileReport>
}

const version = '0.9.0'
const intervalSeconds = 30

/** A compromised container host, and the host that it impersonates. */
export function hostileAgents({ seed, atMs }: { seed: number; atMs: number }): HostileAgents {
  const plan = { hosts: 2, containers: 12, agents: 'own', seed, startedAtMs: atMs } as const
  const [own, other] = drawDockerHosts(plan) as [DockerHost, DockerHost]
  return {
    own: reportOf(own, { version, intervalSeconds, atMs }),
    other: reportOf(other, { version, intervalSeconds, atMs }),
    *reports(count) {
      for (let n = 0; n < count; n++) {
        const draw = dice(hash(`${seed}/hostile/${n}`))
        const { name, make } = draw.weighted(manners)
        const made = make({ draw, own, other, atMs })
        yield { mustBeRefused: false, claimsOther: false, ...made, name: `${name} #${n}` }
      }
    },
  }
}

interface Context {
  draw: Dice
  own: DockerHost
  other: DockerHost
  atMs: number
}

type Made = Pick<HostileReport, 'headers' | 'body'> & Partial<HostileReport>

interface Manner {
  name: string
  make: (context: Context) => Made
}

const json = { 'Content-Type': 'application/json' }
const packed = { ...json, 'Content-Encoding': 'gzip' }

/** A valid report with few containers, because tests send thousands. */
function honest({ own, atMs, draw }: Context, host = own): Report {
  const report = reportOf(host, { version, intervalSeconds, atMs })
  return { ...report, containers: report.containers.slice(0, draw.int(1, report.containers.length)) }
}

const asJson = (value: unknown): Made => ({ headers: json, body: Buffer.from(JSON.stringify(value ?? null)) })

/** The other host's report, sent by this host: all of the report, or one of the two ids. */
function stolen(context: Context): Made {
  const [mine, theirs] = [honest(context), honest(context, context.other)]
  const made = context.draw.pick([
    theirs,
    { ...mine, agent: theirs.agent },
    { ...mine, agent: { ...mine.agent, id: ` ${theirs.agent.id} ` } },
    { ...mine, agent: { ...mine.agent, id: '' }, host: { ...mine.host, machineId: theirs.host.machineId } },
    {
      ...mine,
      agent: { ...mine.agent, id: '' },
      host: { ...mine.host, machineId: '', hostname: theirs.host.hostname },
    },
  ])
  return { ...asJson(made), claimsOther: true }
}

const bent = (context: Context) => bend(honest(context), context.draw, context.atMs)
const text = (context: Context) => JSON.stringify(honest(context))

const manners: readonly (readonly [weight: number, Manner])[] = [
  [60, { name: 'bent', make: (context) => asJson(bent(context)) }],
  [
    8,
    {
      name: 'bent and packed',
      make: (context) => ({ headers: packed, body: gzipSync(JSON.stringify(bent(context) ?? null)) }),
    },
  ],
  [10, { name: 'of another host', make: stolen }],
  [
    14,
    { name: 'a wrong text', make: (context) => ({ headers: json, ...asText(text(context), context.draw) }) },
  ],
  [8, { name: 'wrong bytes', make: (context) => asBytes(text(context), context.draw) }],
]
