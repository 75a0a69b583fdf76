import type { Dice } from '../random.ts'
import {
  harmfulTexts,
  hostileNumbers,
  hostileTimes,
  hostileTypes,
  offMs,
  prototypeTexts,
} from './hostile-values.ts'
import type { Report } from './report.ts'

/** The last moment that a date can hold. */
const lastMs = 8.64e15

type Node = Record<string, unknown> | unknown[]

/** Puts one to three mistakes into a report, which stays valid JSON. */
export function bend(report: Report, draw: Dice, atMs: number): unknown {
  const whole: { report: unknown } = { report: structuredClone(report) }
  for (let times = draw.int(1, 3); times > 0; times--) draw.weighted(bends)(whole, draw, atMs)
  return whole.report
}

type Bend = (whole: { report: unknown }, draw: Dice, atMs: number) => void

const bends: readonly (readonly [weight: number, Bend])[] = [
  [30, (whole, draw) => replace(whole, draw, (old) => likeIt(old, draw))],
  [12, (whole, draw) => replace(whole, draw, () => anyType(draw))],
  [8, (whole, draw) => drop(whole, draw)],
  [8, (whole, draw) => replace(whole, draw, () => JSON.parse(draw.pick(prototypeTexts)))],
  [8, (whole, draw) => add(whole, draw)],
  [6, (whole, draw, atMs) => shiftClock(whole, draw, atMs)],
  [6, (whole, draw) => repeat(whole, draw)],
  [3, (whole, draw) => replace(whole, draw, () => nested(draw.int(20, 400)))],
  [2, (whole, draw) => replace(whole, draw, () => 'x'.repeat(draw.pick([300, 5_000, 70_000])))],
  [1, (whole, draw) => fill(whole, draw)],
]

/** A wrong value of the right type. */
function likeIt(old: unknown, draw: Dice): unknown {
  if (typeof old === 'number') return draw.pick(hostileNumbers)
  if (typeof old !== 'string') return anyType(draw)
  return /^\d{4}-\d\d-\d\dT/.test(old) ? draw.pick(hostileTimes) : draw.pick(harmfulTexts)
}

/** A copy, so that later changes do not affect it. */
const anyType = (draw: Dice): unknown => structuredClone(draw.pick(hostileTypes))

/** A random position in the report; deeper positions are likelier because there are more of them. */
function randomPosition(whole: { report: unknown }, draw: Dice): { node: Node; key: string } {
  let node: Node = whole
  let key = 'report'
  for (;;) {
    const value: unknown = (node as Record<string, unknown>)[key]
    if (typeof value !== 'object' || value === null) return { node, key }
    const keys = Object.keys(value)
    if (keys.length === 0 || (node !== whole && draw.chance(0.15))) return { node, key }
    node = value as Node
    key = draw.pick(keys)
  }
}

function replace(whole: { report: unknown }, draw: Dice, value: (old: unknown) => unknown): void {
  const { node, key } = randomPosition(whole, draw)
  set(node, key, value((node as Record<string, unknown>)[key]))
}

/** Sets an own property, whatever its name. */
function set(node: Node, key: string, value: unknown): void {
  Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true })
}

function drop(whole: { report: unknown }, draw: Dice): void {
  const { node, key } = randomPosition(whole, draw)
  if (Array.isArray(node)) node.splice(Number(key), 1)
  else delete node[key]
}

/** Adds a field with an unknown name. */
function add(whole: { report: unknown }, draw: Dice): void {
  const { node } = randomPosition(whole, draw)
  if (!Array.isArray(node) && node !== whole) set(node, draw.pick(harmfulTexts), anyType(draw))
}

/** Shifts all times of the report, as a wrong clock would. */
function shiftClock(whole: { report: unknown }, draw: Dice, atMs: number): void {
  const shift = draw.pick(offMs)
  const report = whole.report as { timestamp?: unknown; containers?: unknown } | null
  if (typeof report !== 'object' || report === null) return
  report.timestamp = new Date(atMs + shift).toISOString()
  if (!Array.isArray(report.containers)) return
  for (const container of report.containers as (Record<string, unknown> | null)[]) {
    if (typeof container !== 'object' || container === null) continue
    for (const field of ['createdAt', 'startedAt', 'finishedAt']) {
      const written = container[field]
      const at = typeof written === 'string' ? Date.parse(written) + shift : Number.NaN
      if (Math.abs(at) < lastMs) container[field] = new Date(at).toISOString()
    }
  }
}

/** Repeats a container or a name. */
function repeat(whole: { report: unknown }, draw: Dice): void {
  const containers = (whole.report as { containers?: unknown } | null)?.containers
  if (!Array.isArray(containers) || containers.length === 0) return
  const copy: unknown = structuredClone(draw.pick(containers))
  if (draw.chance(0.5) && typeof copy === 'object' && copy !== null) set(copy as Node, 'id', draw.hex(64))
  containers.push(...Array.from({ length: draw.int(1, 5) }, () => copy))
}

/** Fills a list with far more items than any host has. */
function fill(whole: { report: unknown }, draw: Dice): void {
  const report = whole.report as { containers?: unknown } | null
  const [first] = Array.isArray(report?.containers) ? (report.containers as unknown[]) : []
  if (typeof first !== 'object' || first === null) return
  const container = first as Record<string, unknown>
  const many = draw.pick([500, 3_000])
  const of = <T>(make: (n: number) => T) => Array.from({ length: many }, (_, n) => make(n))
  draw.pick([
    () => set(container, 'labels', Object.fromEntries(of((n) => [`label.${n}`, 'x'.repeat(n % 100)]))),
    () =>
      set(
        container,
        'ports',
        of((n) => ({ privatePort: n, publicPort: n, protocol: 'tcp', ip: '0.0.0.0' })),
      ),
    () =>
      set(
        container,
        'networks',
        of((n) => ({ name: `network-${n}`, ipv4: '172.17.0.2' })),
      ),
    () =>
      set(
        report as Node,
        'containers',
        of((n) => ({ ...container, id: `${n}`.padStart(64, '0'), name: `c${n}` })),
      ),
  ])()
}

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let n = 0; n < levels; n++) value = n % 2 === 0 ? [value] : { a: value }
  return value
}
