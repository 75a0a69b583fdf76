import { type AlertConfig, alertDefaults, type AlertOverride, type Guest, type Node } from '@pulse/contract'
import { createAlertEngine, createEstate } from '@pulse/domain'
import { aGuest, aNode } from '@pulse/testkit'
import { randomUUID } from 'node:crypto'
import type { AlertOrder, AlertTicks } from './alerts.ts'

// A process that only evaluates alerts.

const pollMs = 10_000
const guestsPerNode = 50
const warmUp = 30
const source = 'pve-1'

const identityOf = (vmid: number) => ({ vmid, node: `pve${1 + Math.floor(vmid / guestsPerNode)}`, source })
const wave = (vmid: number, tick: number) => 0.5 + 0.5 * Math.sin(vmid * 1.7 + tick)

/** One of three is a container; VMs report file systems. `busy` guests are always above their threshold. */
function guestAt(vmid: number, tick: number, isBusy: boolean): Guest {
  const total = 4 * 1024 ** 3
  const share = 0.2 + 0.5 * wave(vmid, tick)
  const usage = share * 100
  const isContainer = vmid % 3 === 2
  return aGuest({
    ...identityOf(vmid),
    type: isContainer ? 'lxc' : 'qemu',
    cpu: isBusy ? 0.9 + 0.08 * wave(vmid, tick) : 0.05 + 0.6 * wave(vmid + 1, tick),
    memory: { total, used: share * total, free: (1 - share) * total, usage },
    networkIn: 1e6 * wave(vmid, tick + 1),
    networkOut: 1e6 * wave(vmid, tick + 2),
    diskRead: 1e6 * wave(vmid, tick + 3),
    diskWrite: 1e6 * wave(vmid, tick + 4),
    ...(!isContainer && {
      disks: ['/', '/var'].map((mountpoint) => ({
        total: 32e9,
        used: 16e9,
        free: 16e9,
        usage: 50,
        mountpoint,
        type: 'ext4',
        device: '/dev/sda1',
      })),
    }),
  })
}

const overridesFor = (count: number, guests: number): AlertConfig['overrides'] =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n): [string, AlertOverride] => [
      `guest:${source}:${Math.floor((n * guests) / count)}`,
      { memory: { trigger: 95, clear: 90 } },
    ]),
  )

/** Runs cycles in which every guest changes, observed as in the server: in batches. */
function measure({ guests, ticks, overrides, open }: AlertOrder): AlertTicks {
  const estate = createEstate()
  let monotonic = 0
  const moment = () => ({ now: Date.UTC(2026, 0, 1) + monotonic, monotonic })
  const engine = createAlertEngine({
    tables: estate.tables,
    config: { ...alertDefaults, overrides: overridesFor(overrides, guests) },
    newId: randomUUID,
    moment: moment(),
  })
  const nodes = new Map<string, Node>()
  for (let vmid = 0; vmid < guests; vmid += guestsPerNode) {
    const { node } = identityOf(vmid)
    nodes.set(`${source}:${node}`, aNode({ node, source }))
  }
  const found: AlertTicks = { tickMs: [], longestBatchMs: [], open: 0, changed: [] }
  for (let tick = 0; tick < warmUp + ticks; tick++) {
    monotonic += pollMs
    const records = new Map<string, Guest>()
    for (let vmid = 0; vmid < guests; vmid++)
      records.set(
        `${source}:${vmid}`,
        guestAt(vmid, tick, vmid % Math.floor(guests / (open || 1)) === 0 && open > 0),
      )
    const state = { name: 'main', kind: 'pve', health: 'healthy', lastSeen: moment().now } as const
    let sumMs = 0
    let mostMs = 0
    let changed = 0
    const observed = { nodes, guests: records, sources: new Map([[source, state]]) }
    for (const patch of estate.observeInSteps(source, observed)) {
      changed += patch.guests?.put.size ?? 0
      const from = performance.now()
      engine.apply(patch, moment())
      const ms = performance.now() - from
      sumMs += ms
      mostMs = Math.max(mostMs, ms)
    }
    if (tick < warmUp) continue
    found.tickMs.push(sumMs)
    found.longestBatchMs.push(mostMs)
    found.changed.push(changed)
  }
  return { ...found, open: engine.active().size }
}

process.on('message', (order: AlertOrder) => process.send!(measure(order)))
