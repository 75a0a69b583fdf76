import type { VersionInfo } from '@pulse/contract'
import { type Clock, wallOffset } from '@pulse/domain'
import { counter, gauge, type Metric } from '../metric.ts'
import type { State } from '../state/state.ts'
import type { LoopWatch } from './loop-watch.ts'
import type { Troubles } from '../troubles/troubles.ts'

export interface Traffic {
  frames: number
  bytes: number
}

export interface SelfFigures {
  state: State
  loop: Pick<LoopWatch, 'figures'>
  troubles: Pick<Troubles, 'list'>
  version: () => VersionInfo
  /** to open pages and other clients of the socket */
  traffic: () => Traffic
  /** by the monotonic clock */
  upSince: number
  clock: Clock
}

/** The first three have the names that every program gives them. */
export function selfMetrics({
  state,
  loop,
  troubles,
  version,
  traffic,
  upSince,
  clock,
}: SelfFigures): readonly Metric[] {
  const offset = wallOffset(clock)
  return [
    gauge(
      'process_start_time_seconds',
      'When Pulse was started, since 1970.',
      () => (upSince + offset()) / 1000,
    ),
    counter('process_cpu_seconds_total', 'CPU time that Pulse has used.', () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    }),
    gauge('process_resident_memory_bytes', 'Memory that Pulse occupies.', () => process.memoryUsage.rss()),
    {
      name: 'pulse_build_info',
      type: 'gauge',
      help: 'The version of Pulse that runs. Always 1.',
      labels: ['version', 'channel', 'deployment', 'runtime'],
      samples() {
        const { version: own, channel, deploymentType, runtime } = version()
        return [[1, own, channel, deploymentType, runtime]]
      },
    },
    gauge(
      'pulse_update_available',
      'Whether a newer version of Pulse is known.',
      () => version().updateAvailable,
    ),
    gauge(
      'pulse_troubles',
      'How many things are wrong with Pulse itself right now; /api/health tells administrators which.',
      () => troubles.list().filter(({ current }) => current).length,
    ),
    gauge(
      'pulse_event_loop_block_seconds',
      'The longest that the event loop was busy at a stretch in the last minute.',
      () => loop.figures().longestBlockMs / 1000,
    ),
    gauge(
      'pulse_event_loop_wait_seconds',
      'How long 99 % of all moments of the last minute had to wait for the event loop at most.',
      () => loop.figures().waitP99Ms / 1000,
    ),
    gauge(
      'pulse_live_clients',
      'Open pages and other programs that follow the state on a socket.',
      () => state.meta.stats.webSocketClients,
    ),
    counter('pulse_live_frames_total', 'Frames sent to all who follow the state.', () => traffic().frames),
    counter(
      'pulse_live_sent_bytes_total',
      'Bytes of the frames sent to all who follow the state.',
      () => traffic().bytes,
    ),
  ]
}
