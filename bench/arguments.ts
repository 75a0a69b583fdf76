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
  /** an older checkout, measured in turn with it, or its figures */
  before: { checkout?: string; figures: Figures[] }
  out: string | undefined
  document: boolean
  disk: boolean
  hashes: boolean
  agent: boolean
  /** so many backups, alone */
  backups: number | undefined
  /** so many agents of container hosts, alone */
  agents: number | undefined
  /** alerts of so many guests, alone */
  alerts: number | undefined
  /** so many rows of alert history, alone */
  alertHistory: number | undefined
}

/** What the command line asks for; throws where that cannot be done. */
export function readArguments(args = process.argv.slice(2)): Arguments {
  const { values } = parseArgs({
    args,
    options: {
      /** one size instead of all */
      guests: { type: 'string' },
      /** as so many standalone hosts instead of clusters */
      standalone: { type: 'string' },
      out: { type: 'string' },
      /** another checkout, built, that is measured instead of this one */
      product: { type: 'string' },
      /** another checkout, built, of which each size is measured right before; or its figures, written by --out */
      before: { type: 'string' },
      /** writes docs/benchmarks.md */
      document: { type: 'boolean', default: false },
      /** an hour: what is written to disk, alone */
      disk: { type: 'boolean', default: false },
      /** so many backups in twenty namespaces of a backup server, alone */
      backups: { type: 'string' },
      /** so many agents of container hosts with fifty containers each, alone */
      agents: { type: 'string' },
      /** what evaluating the alerts of so many guests costs, alone */
      alerts: { type: 'string' },
      /** so many rows of alert history beside 2,500 guests, alone */
      'alert-history': { type: 'string' },
      /** what guessing a password or a passphrase costs, alone */
      hashes: { type: 'boolean', default: false },
      /** the container-host agent beside a real engine, alone */
      agent: { type: 'boolean', default: false },
    },
  })
  const guests = wholeNumber('guests', values.guests)
  const hosts = wholeNumber('standalone', values.standalone)
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
  }
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

function readBefore(place: string): Arguments['before'] {
  const found = fs.statSync(place, { throwIfNoEntry: false })
  if (!found) throw new Error(`--before: there is neither a checkout nor a file of figures at ${place}`)
  if (found.isDirectory()) return { checkout: built(place), figures: [] }
  return { figures: [JSON.parse(fs.readFileSync(place, 'utf8')) as Figures | Figures[]].flat() }
}

function built(checkout: string): string {
  const needed = ['apps/server/dist/main.js', 'apps/web/dist/index.html', 'scripts/product.mjs']
  const missing = needed.find((name) => !fs.existsSync(path.join(checkout, name)))
  if (missing) throw new Error(`${checkout} has no ${missing}: run "npm run build" there first`)
  return checkout
}
