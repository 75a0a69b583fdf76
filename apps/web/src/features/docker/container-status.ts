import type { DockerContainer } from '@pulse/contract'
import type { Tone } from '../../lib/tones.ts'

type StatusFacts = Pick<DockerContainer, 'state' | 'health' | 'exitCode'>

/** State and health of a container, in words. */
export interface ContainerStatus {
  /** `Running`, `Exited (137)` */
  word: string
  /** tone of the word */
  tone: DockerTone
  /** its health check's result, if it has one */
  health: string | undefined
  /** worse tone of state and health */
  worst: DockerTone
}

export const isRunning = ({ state }: Pick<DockerContainer, 'state'>): boolean =>
  state.toLowerCase() === 'running'

/** A frozen container, which still holds its memory. */
export const isPaused = ({ state }: Pick<DockerContainer, 'state'>): boolean =>
  state.toLowerCase() === 'paused'

export function containerStatus(container: StatusFacts): ContainerStatus {
  const { state, exitCode } = container
  const tone = dockerTone(state)
  const health = healthOf(container)
  const capital = state.charAt(0).toUpperCase() + state.slice(1)
  return {
    word: state.toLowerCase() === 'exited' ? `${capital} (${exitCode})` : capital || 'Unknown',
    tone,
    health,
    worst: health === undefined ? tone : worse(tone, dockerTone(health)),
  }
}

/**
 * Undefined for a stopped container, whose health is outdated. Engines report `none` without a health check.
 */
export function healthOf({ state, health }: Pick<DockerContainer, 'state' | 'health'>): string | undefined {
  if (!health || !isRunning({ state })) return undefined
  const word = health.toLowerCase()
  return word === 'none' ? undefined : word
}

const ranks = { red: 0, yellow: 1, green: 2 } as const satisfies Record<DockerTone, number>

const worse = (a: DockerTone, b: DockerTone): DockerTone => (ranks[a] <= ranks[b] ? a : b)

/** Worst first, so that one click sorts it to the top. */
export const statusRank = (container: StatusFacts): number => ranks[containerStatus(container).worst]

/** Category in the counts. */
export type ContainerMark = 'running' | 'unhealthy' | 'exited' | 'other'

export function markOf(container: StatusFacts): ContainerMark {
  if (isRunning(container)) return healthOf(container) === 'unhealthy' ? 'unhealthy' : 'running'
  return container.state.toLowerCase() === 'exited' ? 'exited' : 'other'
}

export type DockerTone = Extract<Tone, 'green' | 'yellow' | 'red'>

const green: ReadonlySet<string> = new Set(['online', 'running', 'healthy'])
const red: ReadonlySet<string> = new Set(['offline', 'exited', 'failed', 'unhealthy'])

/** Tone of a container state, a health or a host status. Amber: neither good nor bad. */
export function dockerTone(word: string): DockerTone {
  const lower = word.toLowerCase()
  if (green.has(lower)) return 'green'
  return red.has(lower) ? 'red' : 'yellow'
}
