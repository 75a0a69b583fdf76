import type { DockerContainer, Guest, PhysicalDisk, Storage } from '@pulse/contract'
import { toneOf, type ToneScale } from '../../lib/tones.ts'
import type { AlertLevel } from './alert-levels.ts'
import { type MachineState, machineStates } from '../nodes/status.ts'
import { diskHealth, isTroubled } from './disk-health.ts'

/** Why something needs attention. */
export type Trouble = 'unreachable' | 'alert' | 'stale' | 'fault' | 'cpu' | 'memory' | 'disk' | 'temperature'

interface Machine {
  /** it is off, or its source does not answer */
  down: boolean
  /** its figures are old */
  stale: boolean
  /** it is broken, or a part of it is */
  fault?: boolean
  /** the worst that nobody has acknowledged yet */
  alert: AlertLevel | undefined
  /** percent, degrees: undefined while unknown */
  figures: Partial<Record<'cpu' | 'memory' | 'disk' | 'nodeTemperature', number | undefined>>
}

/**
 * The first thing that somebody should look at: it cannot be reached, has an unacknowledged alert, brings old figures,
 * is broken, or one of its figures is in the red.
 */
export function troubleOf({ down, stale, fault, alert, figures }: Machine): Trouble | undefined {
  if (down) return 'unreachable'
  if (alert) return 'alert'
  if (fault) return 'fault'
  if (stale) return 'stale'
  for (const [trouble, scale] of scales) if (toneOf(scale, figures[scale]) === 'red') return trouble
  return undefined
}

const scales = [
  ['cpu', 'cpu'],
  ['memory', 'memory'],
  ['disk', 'disk'],
  ['temperature', 'nodeTemperature'],
] as const satisfies readonly [Trouble, ToneScale][]

/** QEMU stopped these by itself. */
const faults: ReadonlySet<string> = new Set(['io-error', 'internal-error', 'guest-panicked', 'watchdog'])

/**
 * Of a guest alone: while its node cannot be reached that is the node's trouble, and it counts as unreachable. A
 * memory figure that is an estimate counts page cache, so that it accuses nobody.
 */
export function guestTrouble(
  guest: Guest,
  node: MachineState,
  alert: AlertLevel | undefined,
): Trouble | undefined {
  const { status, staleSince, cpu, memory, disk } = guest
  if (!machineStates[node].isOnline) return alert && 'alert'
  if (faults.has(status)) return 'fault'
  const running = status === 'running'
  return troubleOf({
    down: false,
    stale: staleSince !== undefined && node !== 'stale',
    alert,
    figures: running
      ? {
          cpu: cpu === undefined ? undefined : cpu * 100,
          memory: memory && !memory.estimate && memory.total > 0 ? memory.usage : undefined,
          disk: disk && disk.total > 0 ? disk.usage : undefined,
        }
      : {},
  })
}

/** Its cluster cannot use it, the pool below it is degraded or has errors, or it is full. Disabled is on purpose. */
export function storageTrouble(storage: Storage, alert: AlertLevel | undefined): Trouble | undefined {
  const { status, enabled, staleSince, zfsPool, total, usage } = storage
  return troubleOf({
    down: false,
    stale: staleSince !== undefined,
    fault: (enabled && status !== 'available') || (zfsPool !== undefined && isTroubled(zfsPool)),
    alert,
    figures: { disk: total ? usage : undefined },
  })
}

/** It failed its own test, or is at the end of its life. */
export function diskTrouble(disk: PhysicalDisk, alert: AlertLevel | undefined): Trouble | undefined {
  const health = diskHealth(disk)
  return troubleOf({
    down: false,
    stale: false,
    fault: health === 'FAILED' || health === 'LOW LIFE',
    alert,
    figures: {},
  })
}

/** What a signal ended that asked it to (130, 143), or that did so because it had not listened (137). */
const stoppedCodes: ReadonlySet<number> = new Set([0, 130, 143])
const KILLED = 137

/**
 * It fails its own check, keeps restarting, or ended by itself with an error. Stopped, paused or not started is on
 * purpose; of a kill nobody knows who did it, unless the engine says that it was not for want of memory.
 */
export function isContainerTroubled({
  state,
  health,
  exitCode,
  oomKilled = exitCode === KILLED,
}: Pick<DockerContainer, 'state' | 'health' | 'exitCode' | 'oomKilled'>): boolean {
  const word = state.toLowerCase()
  if (word === 'running') return health?.toLowerCase() === 'unhealthy'
  if (word === 'exited') return oomKilled || (exitCode !== KILLED && !stoppedCodes.has(exitCode))
  return word === 'restarting' || word === 'dead'
}
