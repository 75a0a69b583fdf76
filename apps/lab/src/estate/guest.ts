import { dice, hash } from '../random.ts'
import type { Dice } from '../random.ts'
import { cast, kindOf } from './cast.ts'
import { drawCharacter } from './character.ts'
import { counterNames } from './estate.ts'
import type { AgentState, Guest, GuestKind, Node } from './estate.ts'
import { containerRoles, environments, locks, pools, vmRoles } from './names.ts'
import type { Role } from './names.ts'
import { containerSystems, vmSystems } from './os.ts'
import type { Os } from './os.ts'

const gib = 1024 ** 3
const hourSeconds = 3600
const daySeconds = 86_400

export interface GuestParams {
  vmid: number
  index: number
  node: Node
  seed: number
  startedAtMs: number
}

export const firstVmid = 100

export function drawGuest({ vmid, index, node, seed, startedAtMs }: GuestParams): Guest {
  const draw = dice(hash(`${seed}/${node.cluster.name}/guest/${vmid}`))
  const kind = kindOf(index)
  const role = draw.pick(kind === 'qemu' ? vmRoles : containerRoles)
  const os = draw.weighted(kind === 'qemu' ? vmSystems : containerSystems)
  const template = draw.chance(0.015)
  const drawn = {
    ...aGuest({ vmid, kind, node, os, seed: draw.int(0, 0x7fffffff) }),
    name: nameFor(role, vmid),
    status: template || draw.chance(0.13) ? ('stopped' as const) : ('running' as const),
    template,
    ...sizes(draw, kind),
    tags: tagsFor(draw, role),
    pool: draw.chance(0.3) ? draw.pick(pools) : undefined,
    lock: draw.chance(0.008) ? draw.pick(locks) : undefined,
    highlyAvailable: !node.cluster.standalone && draw.chance(0.05),
    onBoot: draw.chance(0.7),
    agent: kind === 'qemu' ? drawAgent(draw) : ('none' as const),
    filesystems: filesystemsFor(draw, os),
    balloonDriver: kind === 'qemu' && draw.chance(os.family === 'linux' ? 0.95 : 0.5),
    interfaceCount: draw.chance(0.1) ? 3 : 1,
    storage: draw.chance(0.15) ? 'nas-vm' : localStorageOf(node),
    snapshots: draw.chance(0.12) ? draw.int(1, 3) : 0,
    character: drawCharacter(draw, role.load),
  } satisfies Guest
  const { uptimeSeconds = drawUptimeSeconds(draw), ownFate = {}, ...part } = cast[index] ?? {}
  return {
    ...drawn,
    ...part,
    fate: ownFate,
    ownFate,
    startedAtMs: Math.floor(startedAtMs / 1000) * 1000 - uptimeSeconds * 1000,
  }
}

/** An ordinary guest, as the control API creates it. */
export function aGuest(given: Pick<Guest, 'vmid' | 'kind' | 'node' | 'os' | 'seed'> & Partial<Guest>): Guest {
  return {
    name: undefined,
    status: 'running',
    template: false,
    startedAtMs: 0,
    cores: 2,
    cpuLimit: undefined,
    maxMemBytes: 2 * gib,
    maxDiskBytes: 32 * gib,
    maxSwapBytes: given.kind === 'lxc' ? gib / 2 : 0,
    tags: undefined,
    pool: undefined,
    lock: undefined,
    highlyAvailable: false,
    onBoot: true,
    description: undefined,
    agent: given.kind === 'qemu' ? 'running' : 'none',
    filesystems: 'linux',
    balloonDriver: given.kind === 'qemu',
    balloonShare: 1,
    interfaceCount: 1,
    storage: localStorageOf(given.node),
    snapshots: 0,
    fate: {},
    ownFate: {},
    character: drawCharacter(dice(given.seed), 'light'),
    pins: {},
    counters: freshCounters(),
    reading: undefined,
    ...given,
  }
}

export function freshCounters(): Guest['counters'] {
  const entries = counterNames.map((name) => [name, { offsetBytes: 0, pinned: undefined }])
  return Object.fromEntries(entries) as Guest['counters']
}

/** Every second node is installed on ZFS, the others on LVM. */
export const localStorageOf = (node: Node): string =>
  node.cluster.nodes.indexOf(node) % 2 === 0 ? 'local-zfs' : 'local-lvm'

const nameFor = (role: Role, vmid: number): string => `${role.prefix}${String(vmid % 100).padStart(2, '0')}`

function tagsFor(draw: Dice, role: Role): string | undefined {
  if (draw.chance(0.12)) return undefined
  return [draw.pick(environments), ...role.tags].join(';')
}

function sizes(draw: Dice, kind: GuestKind) {
  if (kind === 'lxc') {
    const memGib = draw.weighted([
      [30, 0.5],
      [40, 1],
      [20, 2],
      [10, 4],
    ])
    return {
      cores: draw.weighted([
        [50, 1],
        [35, 2],
        [15, 4],
      ]),
      maxMemBytes: memGib * gib,
      maxDiskBytes: draw.pick([4, 8, 8, 16, 32]) * gib,
      maxSwapBytes: draw.pick([0, 0.5, 0.5, 1]) * gib,
    }
  }
  return {
    cores: draw.weighted([
      [15, 1],
      [35, 2],
      [35, 4],
      [12, 8],
      [3, 16],
    ]),
    maxMemBytes:
      draw.weighted([
        [20, 2],
        [35, 4],
        [27, 8],
        [12, 16],
        [3, 32],
      ]) * gib,
    maxDiskBytes: draw.pick([20, 32, 32, 64, 100, 128, 256, 512]) * gib,
    maxSwapBytes: 0,
  }
}

const drawAgent = (draw: Dice): AgentState =>
  draw.weighted([
    [76, 'running'],
    [12, 'none'],
    [4, 'disabled'],
    [7, 'dead'],
    [1, 'hang'],
  ])

function filesystemsFor(draw: Dice, os: Os): string {
  if (os.family === 'windows') return 'windows'
  if (os.family === 'freebsd') return 'freebsd'
  return draw.weighted([
    [55, 'linux'],
    [25, 'linux-lvm'],
    [8, 'snaps-and-overlays'],
    [4, 'duplicates'],
    [4, 'network-mounts'],
  ])
}

function drawUptimeSeconds(draw: Dice): number {
  if (draw.chance(0.05)) return draw.int(60, hourSeconds - 60)
  return draw.weighted([
    [20, draw.int(hourSeconds, daySeconds)],
    [50, draw.int(daySeconds, 40 * daySeconds)],
    [30, draw.int(40 * daySeconds, 300 * daySeconds)],
  ])
}
