import type { PhysicalDisk } from '@pulse/contract'
import { kinds } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { toSourceError } from '../source-error.ts'
import { freshMs } from './age.ts'
import { SOON_MS } from '../../polling/publisher.ts'
import type { ClusterContext } from './context.ts'
import { isPhysical, toDisk, type DiskFacts } from './disks.ts'
import type { MapContext } from './map.ts'
import type { AskNode, NodeRun, Part, WatchedNode } from './part.ts'
import { readList, readOne } from './schema.ts'
import { PveDisk, PveSmart } from './schema-disks.ts'
import { Rotation } from './rotation.ts'

const NAME = 'disks'
const minute = 60_000
/** PVE tests each disk for this call, which takes seconds and wakes sleeping disks. */
const intervalMs = 5 * minute
const limits = { headersMs: 60_000, totalMs: 65_000, maxBytes: 2 * 1024 * 1024 }
const smartLimits = { headersMs: 15_000, totalMs: 20_000, maxBytes: 1024 * 1024 }
/** The limit per node. */
const mostDisks = 500
/** A call per disk. It may take a second and wakes a sleeping disk. */
const smartIntervalMs = 10 * minute
/** Between two of these calls. */
const gapMs = 500
/** Interval of checks which disk is due. */
const lookMs = 10_000

interface NodeDisks {
  byPath: Map<string, DiskFacts>
  at: number
  failed: boolean
}

/** The disks of each node with health and wear, and with temperatures at a longer interval. */
export const disks: Part = {
  name: NAME,
  flags: ['monitorPhysicalDisks'],
  calls: { node: 0.2 },
  callsUnlisted: { node: 0.1 },
  kinds: ['physicalDisks'],
  start(context) {
    const byNode = new Map<string, NodeDisks>()
    let published: ReadonlyMap<string, PhysicalDisk> = new Map()

    function toRecords(context: MapContext, now: number): ReadonlyMap<string, PhysicalDisk> {
      const records = new Map<string, PhysicalDisk>()
      for (const [node, { byPath, at, failed }] of byNode) {
        const isOld = failed || context.lost?.has(node) || now > at + intervalMs + freshMs.late
        for (const facts of byPath.values()) {
          const record = toDisk(facts, node, context, isOld ? at : undefined)
          const key = kinds.physicalDisks.key(record)
          // A disk with two paths counts once.
          if (records.has(key)) continue
          const before = published.get(key)
          records.set(key, before && isEqual(before, record) ? before : record)
        }
      }
      const isSame = [...records].every(([key, record]) => published.get(key) === record)
      if (!isSame || records.size !== published.size) published = records
      return published
    }

    return {
      node: (node, ask) => watch(context, byNode, node, ask),
      records: (context, now) => ({ physicalDisks: toRecords(context, now) }),
      forget(left) {
        if ('node' in left) byNode.delete(left.node)
      },
    }
  },
}

function watch(
  context: ClusterContext,
  byNode: Map<string, NodeDisks>,
  { name }: WatchedNode,
  ask: AskNode,
): NodeRun {
  const { clock } = context
  let isFirst = true
  const turns = new Rotation<string>()
  const next = () => turns.next(name, [...(byNode.get(name)?.byPath.keys() ?? [])], smartIntervalMs)
  function learn(devPath: string, smart: NonNullable<DiskFacts['smart']>): void {
    const facts = byNode.get(name)?.byPath.get(devPath)
    if (facts) facts.smart = smart
  }
  return {
    loops: [
      {
        name: NAME,
        intervalMs,
        firstAfterMs: 5_000,
        deadlineMs: limits.totalMs + 5_000,
        pay: () => context.budget.node(name).takeOrFirst(NAME, isFirst),
        async run(signal) {
          isFirst = false
          const { data, at } = await ask('/disks/list', signal, limits)
          const known = byNode.get(name)?.byPath
          const listed = readList(PveDisk, data, `/nodes/${name}/disks/list`).filter(isPhysical)
          const byPath = new Map(
            listed.slice(0, mostDisks).map((disk) => {
              const before = known?.get(disk.devpath)
              const isSame = before?.disk.serial === disk.serial
              if (before && !isSame) turns.forget(disk.devpath)
              const smart = isSame ? before?.smart : undefined
              return [disk.devpath, { disk, at, smart }]
            }),
          )
          byNode.set(name, { byPath, at, failed: false })
          return at
        },
        failed(_error, _failures, report) {
          const known = byNode.get(name)
          if (known) known.failed = true
          return report() ?? minute
        },
      },
      {
        name: 'disk temperatures',
        intervalMs: gapMs,
        firstAfterMs: 6_000,
        deadlineMs: smartLimits.totalMs + 5_000,
        isSlow: true,
        hold: () => Math.min(lookMs, Math.max(0, (next()?.at ?? Infinity) - clock.monotonic())),
        async run(signal) {
          const devPath = next()?.key
          if (devPath === undefined) return
          turns.begin(name, devPath, clock.monotonic())
          const path = `/disks/smart?disk=${encodeURIComponent(devPath)}`
          try {
            const { data, at } = await ask(path, signal, smartLimits)
            turns.answered(devPath)
            learn(devPath, { value: readOne(PveSmart, data, `/nodes/${name}${path}`), at })
            context.publish(SOON_MS)
          } catch (cause) {
            if (toSourceError(cause).isPathFault) turns.missed(devPath, clock.monotonic(), smartIntervalMs)
            throw cause
          }
        },
        // A disk without SMART data is no fault of the node. The list has the known data.
        failed: (error) => (error.isPathFault ? minute : gapMs),
      },
    ],
  }
}
