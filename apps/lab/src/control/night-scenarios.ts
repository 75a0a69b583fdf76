import type { Guest, Node } from '../estate/estate.ts'
import { isRunning } from '../estate/estate.ts'
import type { World } from '../world.ts'
import { some } from './scenario.ts'
import type { Scenario, Steering } from './scenario.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs

/** Guests of a node, by VMID. */
const guestsOn = ({ estate }: World, node: Node): Guest[] =>
  [...estate.clusters[0]!.guests.values()].filter((guest) => guest.node === node && !guest.template)

const nodesOf = ({ estate }: World) => estate.clusters[0]!.nodes
const isThere = ({ estate }: World, { vmid }: Guest) => estate.clusters[0]!.guests.has(vmid)

/** Duration of a guest's backup: half a minute to a minute and a half. */
const backupLastsMs = ({ seed }: Guest): number => (30 + (seed % 61)) * secondMs
const betweenBackupsMs = 5 * secondMs
/** Every fifth guest is stopped for its backup. */
const isStoppedForBackup = ({ vmid }: Pick<Guest, 'vmid'>): boolean => vmid % 5 === 3

/**
 * The lock is set first and removed last. In mode `stop` a container is stopped for its whole backup. A VM starts again at
 * once while its backup continues. A stopped VM is started with paused processors.
 */
function saveGuest(control: Steering, world: World, guest: Guest, inMs: number): void {
  const { vmid, kind } = guest
  const lastsMs = backupLastsMs(guest)
  let before: Pick<Guest, 'lock' | 'status'> | undefined
  const end = () => {
    if (!before || !isThere(world, guest)) return
    control.patchGuest(vmid, { status: before.status, lock: before.lock ?? null })
    before = undefined
  }
  world.course.plan(
    inMs,
    lastsMs,
    () => {
      if (!isThere(world, guest) || !guest.node.online || guest.lock !== undefined) return
      before = { lock: guest.lock, status: guest.status }
      if (guest.status === 'stopped')
        control.patchGuest(vmid, { lock: 'backup', ...(kind === 'qemu' && { status: 'paused' }) })
      else if (isStoppedForBackup(guest)) control.patchGuest(vmid, { lock: 'backup', status: 'stopped' })
      else control.patchGuest(vmid, { lock: 'backup' })
    },
    end,
  )
  if (kind !== 'qemu' || !isStoppedForBackup(guest)) return
  world.course.plan(inMs + lastsMs / 2, 0, () => {
    if (before?.status === 'running' && isThere(world, guest)) control.patchGuest(vmid, { status: 'running' })
  })
}

/** How long a node is offline during a reboot. */
const rebootLastsMs = 4 * minuteMs
/** The delay between the starts of two guests after their node has booted. */
const betweenStartsMs = 2 * secondMs

/** A power loss, without a shutdown. Guests that start at boot come back one after the other. */
function reboot(control: Steering, world: World, node: Node): void {
  const ran = guestsOn(world, node).filter(isRunning)
  const stop = () => {
    for (const guest of ran) if (isThere(world, guest)) control.patchGuest(guest.vmid, { status: 'stopped' })
    return control.patchNode(node.name, { online: false })
  }
  const startGuest = (guest: Guest) =>
    isThere(world, guest) && control.patchGuest(guest.vmid, { status: 'running' })
  const start = async (isCutShort: boolean) => {
    await control.patchNode(node.name, { online: true, uptime: 0 })
    if (isCutShort) return ran.forEach(startGuest)
    for (const [index, guest] of ran.filter(({ onBoot }) => onBoot).entries())
      world.course.plan(index * betweenStartsMs, 0, () => startGuest(guest))
  }
  world.course.plan(0, rebootLastsMs, stop, start)
}

const migrationLastsMs = 20 * secondMs

function migrate(control: Steering, world: World, guest: Guest, to: string, inMs: number): void {
  let isMoving = false
  world.course.plan(
    inMs,
    migrationLastsMs,
    () => {
      if (!isThere(world, guest) || guest.lock !== undefined) return
      isMoving = true
      control.patchGuest(guest.vmid, { lock: 'migrate' })
    },
    () => {
      if (!isMoving || !isThere(world, guest)) return
      control.migrateGuest(guest.vmid, to)
      control.patchGuest(guest.vmid, { lock: null })
    },
  )
}

/** First the node misses one or two polls, which is not an outage; then it is offline for longer, repeatedly. */
const blips = { count: 8, offlineMs: 8 * secondMs, intervalMs: 90 * secondMs }
const gaps = { count: 6, offlineMs: 3 * minuteMs, intervalMs: 5 * minuteMs }
const gapsFromMs = blips.count * blips.intervalMs

export const nightScenarios: Readonly<Record<string, Scenario>> = {
  'backup-night': {
    about: 'every guest is saved, on each node one after the other; some are switched off meanwhile',
    play(control, world) {
      for (const node of nodesOf(world)) {
        let inMs = 0
        for (const guest of guestsOn(world, node)) {
          saveGuest(control, world, guest, inMs)
          inMs += backupLastsMs(guest) + betweenBackupsMs
        }
      }
    },
  },
  'first-node-reboots': {
    about: 'the first node loses its power for four minutes; not all of its guests start with it',
    play: (control, world) => reboot(control, world, nodesOf(world)[0]!),
  },
  'last-node-reboots': {
    about: 'the same with the last node',
    play: (control, world) => reboot(control, world, nodesOf(world).at(-1)!),
  },
  'network-flaps': {
    about:
      'the last backup server misses an answer now and then, later it is away for minutes, again and again',
    play(control, world) {
      const { name } = some(world.pbs, 'backup server').at(-1)!.appliance
      const away = (inMs: number, lastsMs: number) =>
        world.course.plan(
          inMs,
          lastsMs,
          () => control.patchAppliance(name, { online: false }),
          () => control.patchAppliance(name, { online: true }),
        )
      for (let n = 0; n < blips.count; n++) away(n * blips.intervalMs, blips.offlineMs)
      for (let n = 0; n < gaps.count; n++) away(gapsFromMs + n * gaps.intervalMs, gaps.offlineMs)
    },
  },
  'migration-wave': {
    about: 'the guests of the second node move to the others, one after the other',
    play(control, world) {
      const [, from] = nodesOf(world)
      const [node] = some(from ? [from] : [], 'second node')
      const others = nodesOf(world).filter((one) => one !== node)
      for (const [index, guest] of guestsOn(world, node!).entries())
        migrate(control, world, guest, others[index % others.length]!.name, index * migrationLastsMs)
    },
  },
}
