import {
  type DockerContainer,
  type Guest,
  guestFigures,
  type PhysicalDisk,
  type Storage,
  thresholdValue,
} from '@pulse/contract'
import { toneOf, type ToneScale } from '../../lib/tones.ts'
import type { AlertLevel } from './alert-levels.ts'
import { type MachineState, machineStates } from '../nodes/status.ts'
import { diskHealth, isTroubled } from './disk-health.ts'

/** Reasons for attention. */
export type Trouble = 'unreachable' | 'alert' | 'stale' | 'fault' | 'cpu' | 'memory' | 'disk' | 'temperature'

interface Machine {
  /** offline or unreachable */
  down: boolean
  /** its figures are stale */
  stale: boolean
  /** the worst unacknowledged alert */
  fault?: boolean
  /** the worst unacknowledged alert */
  alert: AlertLevel | undefined
  /** percent or degrees; undefined while unknown */
  figures: Partial<Record<'cpu' | 'memory' | 'disk' | 'nodeTemperature', number | undefined>>
}

/**
 * The first reason for attention: unreachable, an unacknowledged alert, a fault, stale figures, or a figure
 * in the red.
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

/** States of a guest that QEMU stopped. */
const faults: ReadonlySet<string> = new Set(['io-error', 'internal-error', 'guest-panicked', 'watchdog'])

/**
 * The trouble of the guest itself. On an unreachable node it only counts as unreachable. An estimated memory
 * figure includes page cache and does not count.
 */
export function guestTrouble(
  guest: Guest,
  node: MachineState,
  alert: AlertLevel | undefined,
): Trouble | undefined {
  const { status, staleSince, memory, disk } = guest
  const { isOnline, isStale: isNodeStale } = machineStates[node]
  if (!isOnline) return alert && 'alert'
  if (faults.has(status)) return 'fault'
  const running = status === 'running'
  return troubleOf({
    down: false,
    stale: staleSince !== undefined && !isNodeStale,
    alert,
    figures: running
      ? {
          cpu: thresholdValue(guestFigures.cpu, guest),
          memory: memory?.total && !memory.estimate ? thresholdValue(guestFigures.memory, guest) : undefined,
          disk: disk?.total ? thresholdValue(guestFigures.disk, guest) : undefined,
        }
      : {},
  })
}

/** Unavailable to its cluster, degraded, with errors, or full. A disabled storage has no trouble. */
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

/** The disk failed its self-test, or is near the end of its life. */
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

/**
 * Exit codes of signals. 130 and 143: a process that was asked to stop. 137: one that was killed because it
 * did not.
 */
const stoppedCodes: ReadonlySet<number> = new Set([0, 130, 143])
const KILLED = 137

/**
 * Unhealthy, restarting in a loop, or exited with an error. Stopped, paused and never started are
 * intentional. A kill is a fault, unless the engine reports that memory was not the cause.
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
