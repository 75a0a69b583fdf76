import type { PhysicalDisk } from '@pulse/contract'
import { kinds } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { freshMs, nextOf } from './age.ts'
import type { Desk } from './desk.ts'
import { isPhysical, toDisk, type DiskFacts } from './disks.ts'
import { payOrOnce } from './first-look.ts'
import type { MapContext } from './map.ts'
import type { AskNode, NodeRun, Part, WatchedNode } from './part.ts'
import { readList, readOne } from './schema.ts'
import { PveDisk, PveSmart } from './schema-disks.ts'

const NAME = 'disks'
const minute = 60_000
/** PVE tests each disk for it, which takes seconds and wakes those that sleep. */
const everyMs = 5 * minute
const limits = { headersMs: 60_000, totalMs: 65_000, maxBytes: 2 * 1024 * 1024 }
const smartLimits = { headersMs: 15_000, totalMs: 20_000, maxBytes: 1024 * 1024 }
/** Of one node. */
const mostDisks = 500
/** A temperature of an hour ago is none. */
const smartFreshMs = 60 * minute

interface NodeDisks {
  byPath: Map<string, DiskFacts>
  at: number
  failed: boolean
}

/** The disks of each node with health and wear, and in a slow round their temperatures. */
export const disks: Part = {
  name: NAME,
  flags: ['monitorPhysicalDisks'],
  calls: { node: 0.3 },
  callsUnlisted: { node: 0.1 },
  kinds: ['physicalDisks'],
  start(desk) {
    const byNode = new Map<string, NodeDisks>()
    let published: ReadonlyMap<string, PhysicalDisk> = new Map()

    function toRecords(context: MapContext, now: number): ReadonlyMap<string, PhysicalDisk> {
      const records = new Map<string, PhysicalDisk>()
      for (const [node, { byPath, at, failed }] of byNode) {
        const isSilent = context.staleSince !== undefined || context.lost?.has(node)
        const isOld = failed || isSilent || now > at + everyMs + freshMs.late
        for (const facts of byPath.values()) {
          const isWarm = facts.smart && now <= facts.smart.at + smartFreshMs
          const record = toDisk(
            isWarm ? facts : { ...facts, smart: undefined },
            node,
            context,
            isOld ? at : undefined,
          )
          const key = kinds.physicalDisks.key(record)
          // A disk with two ways to it is one.
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
      node: (node, ask) => watch(desk, byNode, node, ask),
      records: (context, now) => ({ physicalDisks: toRecords(context, now) }),
      nextExpiry: (now) =>
        Math.min(Infinity, ...[...byNode.values()].map(({ at }) => nextOf(now, at + everyMs + freshMs.late))),
      forget(left) {
        if ('node' in left) byNode.delete(left.node)
      },
    }
  },
}

function watch(desk: Desk, byNode: Map<string, NodeDisks>, { name }: WatchedNode, ask: AskNode): NodeRun {
  const { clock } = desk
  let isFirst = true
  const inTurn = (): DiskFacts | undefined =>
    [...(byNode.get(name)?.byPath.values() ?? [])].reduce<DiskFacts | undefined>(
      (next, facts) => (!next || (facts.smart?.at ?? -1) < (next.smart?.at ?? -1) ? facts : next),
      undefined,
    )
  return {
    loops: [
      {
        name: NAME,
        everyMs,
        firstAfterMs: 5_000,
        deadlineMs: limits.totalMs + 5_000,
        pay: () => payOrOnce(desk.budget.node(name), NAME, isFirst),
        async run(signal) {
          isFirst = false
          const { data, at } = await ask('/disks/list', signal, limits)
          const known = byNode.get(name)?.byPath
          const listed = readList(PveDisk, data, `/nodes/${name}/disks/list`).filter(isPhysical)
          const byPath = new Map(
            listed.slice(0, mostDisks).map((disk) => {
              const before = known?.get(disk.devpath)
              const smart = before?.disk.serial === disk.serial ? before?.smart : undefined
              return [disk.devpath, { disk, at, smart }]
            }),
          )
          byNode.set(name, { byPath, at, failed: false })
          return at
        },
        failed(_error, _failures, tell) {
          const known = byNode.get(name)
          if (known) known.failed = true
          return tell() ?? minute
        },
      },
      {
        name: 'disk temperatures',
        everyMs: 2 * everyMs,
        firstAfterMs: 30_000,
        deadlineMs: smartLimits.totalMs + 5_000,
        hold: () => (inTurn() ? 0 : minute),
        async run(signal) {
          const facts = inTurn()
          if (!facts) return
          const path = `/disks/smart?disk=${encodeURIComponent(facts.disk.devpath)}`
          facts.smart = { value: facts.smart?.value ?? {}, at: clock.monotonic() }
          const { data, at } = await ask(path, signal, smartLimits)
          facts.smart = { value: readOne(PveSmart, data, `/nodes/${name}${path}`), at }
          return at
        },
        // A disk without such an account is no fault of the node; its list says what is known.
        failed: () => everyMs,
      },
    ],
  }
}
