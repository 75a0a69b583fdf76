import type { Container, Fate } from './host.ts'

/** The state of a container at one moment, as the engine reports it. */
export interface Life {
  state: string
  status: string
  health?: 'healthy' | 'unhealthy' | 'starting'
  exitCode: number
  restartCount: number
  /** Absent if it never ran. */
  startedAtMs?: number
  /** Absent while it runs. */
  finishedAtMs?: number
  isRunning: boolean
}

const flapMs = 60_000
const flapRunsMs = 40_000
/** The engine waits at most a minute before it restarts a container. */
const restartMs = 61_000
const restartRunsMs = 1_000

export function lifeOf(container: Container, atMs: number): Life {
  const { pins } = container
  const fate = pins.fate ?? container.fate
  const sinceMs = pins.sinceMs ?? container.sinceMs
  const began = { ...container, sinceMs, startedAtMs: startOf(container, fate, sinceMs) }
  return lives[fate](began, Math.max(atMs, sinceMs))
}

/** A current run began at its drawn time, or when the control API started it. */
function startOf({ startedAtMs, fate: drawn, pins }: Container, fate: Fate, sinceMs: number): number {
  if (pins.fate === undefined) return startedAtMs
  return runs.has(fate) && (fate === 'starting' || !runs.has(drawn))
    ? sinceMs
    : Math.min(startedAtMs, sinceMs)
}

const runs: ReadonlySet<Fate> = new Set(['runs', 'starting', 'unhealthy', 'paused'])

const lives: Record<Fate, (container: Container, atMs: number) => Life> = {
  runs: (container, atMs) => up(container, atMs, container.hasHealthCheck ? 'healthy' : undefined),
  starting: (container, atMs) => up(container, atMs, 'starting'),
  unhealthy: (container, atMs) => up(container, atMs, 'unhealthy'),
  paused(container, atMs) {
    const { status, ...life } = up(container, atMs, undefined)
    return { ...life, state: 'paused', status: `${status} (Paused)`, isRunning: false }
  },
  flapping: ({ sinceMs }, atMs) => inRounds(sinceMs, atMs, flapMs, flapRunsMs, 3),
  restarting: ({ sinceMs }, atMs) => inRounds(sinceMs, atMs, restartMs, restartRunsMs, 1),
  exited: (container, atMs) => down(container, atMs, 0),
  failed: (container, atMs) => down(container, atMs, 1),
  'oom-killed': (container, atMs) => down(container, atMs, 137),
  created: () => ({ state: 'created', status: 'Created', exitCode: 0, restartCount: 0, isRunning: false }),
  dead: (container, atMs) => ({ ...down(container, atMs, 255), state: 'dead', status: 'Dead' }),
}

function up({ startedAtMs }: Container, atMs: number, health: Life['health']): Life {
  const note = health === undefined ? '' : health === 'starting' ? ' (health: starting)' : ` (${health})`
  return {
    state: 'running',
    status: `Up ${duration(atMs - startedAtMs)}${note}`,
    ...(health && { health }),
    exitCode: 0,
    restartCount: 0,
    startedAtMs,
    isRunning: true,
  }
}

const down = ({ startedAtMs, sinceMs }: Container, atMs: number, exitCode: number): Life => ({
  state: 'exited',
  status: `Exited (${exitCode}) ${duration(atMs - sinceMs)} ago`,
  exitCode,
  restartCount: 0,
  startedAtMs,
  finishedAtMs: sinceMs,
  isRunning: false,
})

/** Runs for a while, exits, and is restarted by the engine. */
function inRounds(sinceMs: number, atMs: number, roundMs: number, runsMs: number, exitCode: number): Life {
  const rounds = Math.floor((atMs - sinceMs) / roundMs)
  const startedAtMs = sinceMs + rounds * roundMs
  const endedAtMs = startedAtMs + runsMs
  const isRunning = atMs < endedAtMs
  return {
    state: isRunning ? 'running' : 'restarting',
    status: isRunning
      ? `Up ${duration(atMs - startedAtMs)}`
      : `Restarting (${exitCode}) ${duration(atMs - endedAtMs)} ago`,
    exitCode: isRunning ? 0 : exitCode,
    restartCount: rounds,
    startedAtMs,
    ...(!isRunning && { finishedAtMs: endedAtMs }),
    isRunning,
  }
}

/** A duration in the words of the engine. */
export function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 1) return 'Less than a second'
  if (seconds === 1) return '1 second'
  if (seconds < 60) return `${seconds} seconds`
  const minutes = Math.floor(seconds / 60)
  if (minutes === 1) return 'About a minute'
  if (minutes < 60) return `${minutes} minutes`
  const hours = Math.floor(seconds / 3600 + 0.5)
  if (hours === 1) return 'About an hour'
  if (hours < 48) return `${hours} hours`
  const days = Math.floor(hours / 24)
  if (days < 14) return `${days} days`
  if (days < 60) return `${Math.floor(days / 7)} weeks`
  if (days < 730) return `${Math.floor(days / 30)} months`
  return `${Math.floor(days / 365)} years`
}
