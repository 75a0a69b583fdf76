import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Figures } from './figures.ts'
import { clustersOf, everything, type Scenario, standaloneHosts } from './scenarios.ts'

/** The checkout that this bench is part of. */
export const ownProduct = path.dirname(import.meta.dirname)

export interface Arguments {
  scenarios: readonly Scenario[]
  /** the checkout whose build is measured */
  product: string
  /** an older checkout, measured alternately with it, or its figures */
  before: { checkout?: string; figures: Figures[] }
  out: string | undefined
  document: boolean
  disk: boolean
  hashes: boolean
  agent: boolean
  /** measures only this many backups */
  backups: number | undefined
  /** measures only this many agents */
  agents: number | undefined
  /** measures only alert evaluation, for this many guests */
  alerts: number | undefined
  /** measures only this many rows of alert history */
  alertHistory: number | undefined
  /** measures only the metric history, of this many guests */
  history: number | undefined
  /** measures only several processes: all of it, or one part */
  cluster: ClusterPart | 'all' | undefined
  /** for `cluster`: guests of one process and of five; the large estate has five times as many */
  clusterGuests: number
  /** for `cluster`: kills of each role */
  kills: number
}

const clusterParts = ['roles', 'large', 'takeover'] as const
export type ClusterPart = (typeof clusterParts)[number]
const clusterGuests = 10_000
const kills = 5

/** Parses the command line; throws for impossible requests. */
export function readArguments(args = process.argv.slice(2)): Arguments {
  const { values } = parseArgs({
    args,
    options: {
      /** measures one size instead of all */
      guests: { type: 'string' },
      /** this many standalone hosts instead of clusters */
      standalone: { type: 'string' },
      out: { type: 'string' },
      /** measures another built checkout instead of this one */
      product: { type: 'string' },
      /** another built checkout, measured before each size, or its figures, written by --out */
      before: { type: 'string' },
      /** writes docs/benchmarks.md */
      document: { type: 'boolean', default: false },
      /** measures only disk writes, over an hour */
      disk: { type: 'boolean', default: false },
      /** measures only this many backups, in twenty namespaces of a backup server */
      backups: { type: 'string' },
      /** measures only this many agents, with fifty containers each */
      agents: { type: 'string' },
      /** measures only alert evaluation, for this many guests */
      alerts: { type: 'string' },
      /** measures only this many rows of alert history, with 2,500 guests */
      'alert-history': { type: 'string' },
      /** measures only the metric history, of this many guests */
      history: { type: 'string' },
      /** measures only several processes with roles, on a real PostgreSQL and NATS */
      cluster: { type: 'boolean', default: false },
      /** of them only the `roles`, the `large` estate, or the `takeover` */
      part: { type: 'string' },
      /** how many processes of each role are killed for the takeover */
      kills: { type: 'string' },
      /** measures only the cost of guessing a password or a passphrase */
      hashes: { type: 'boolean', default: false },
      /** measures only the agent, with a real engine */
      agent: { type: 'boolean', default: false },
    },
  })
  const guests = wholeNumber('guests', values.guests)
  const hosts = wholeNumber('standalone', values.standalone)
  const cluster = values.cluster ? partOf(values.part) : undefined
  if (cluster === 'all' && values.out !== undefined)
    throw new Error('--out holds the figures of one part: name it with --part')
  return {
    scenarios: scenariosFor(guests, hosts),
    product: values.product === undefined ? ownProduct : built(path.resolve(values.product)),
    before: values.before === undefined ? { figures: [] } : readBefore(path.resolve(values.before)),
    out: values.out,
    document: values.document,
    disk: values.disk,
    hashes: values.hashes,
    agent: values.agent,
    backups: wholeNumber('backups', values.backups),
    agents: wholeNumber('agents', values.agents),
    alerts: wholeNumber('alerts', values.alerts),
    alertHistory: wholeNumber('alert-history', values['alert-history']),
    history: wholeNumber('history', values.history),
    cluster,
    clusterGuests: guests ?? clusterGuests,
    kills: wholeNumber('kills', values.kills) ?? kills,
  }
}

function partOf(part: string | undefined): ClusterPart | 'all' {
  if (part === undefined) return 'all'
  const known = clusterParts.find((one) => one === part)
  if (known) return known
  throw new Error(`--part must be ${clusterParts.join(' or ')}, not "${part}"`)
}

function scenariosFor(guests: number | undefined, hosts: number | undefined): readonly Scenario[] {
  if (hosts !== undefined) return [standaloneHosts(hosts, guests ?? 2500)]
  return guests === undefined ? everything : [clustersOf(guests)]
}

function wholeNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (Number.isInteger(Number(value)) && Number(value) > 0) return Number(value)
  throw new Error(`--${name} must be a whole number above 0, not "${value}"`)
}

function readBefore(beforePath: string): Arguments['before'] {
  const found = fs.statSync(beforePath, { throwIfNoEntry: false })
  if (!found) throw new Error(`--before: there is neither a checkout nor a file of figures at ${beforePath}`)
  if (found.isDirectory()) return { checkout: built(beforePath), figures: [] }
  return { figures: [JSON.parse(fs.readFileSync(beforePath, 'utf8')) as Figures | Figures[]].flat() }
}

function built(checkout: string): string {
  const needed = ['apps/server/dist/main.js', 'apps/web/dist/index.html', 'scripts/product.mjs']
  const missing = needed.find((name) => !fs.existsSync(path.join(checkout, name)))
  if (missing) throw new Error(`${checkout} has no ${missing}: run "npm run build" there first`)
  return checkout
}
