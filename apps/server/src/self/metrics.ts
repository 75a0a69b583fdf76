import type { VersionInfo } from '@pulse/contract'
import { type Clock, wallOffset } from '@pulse/domain'
import { counter, gauge, type Metric } from '../metric.ts'
import type { State } from '../state/state.ts'
import type { EventLoopMonitor } from './event-loop-monitor.ts'
import type { Troubles } from '../troubles/troubles.ts'

export interface Traffic {
  frames: number
  bytes: number
}

export interface SelfFigures {
  state: State
  loop: Pick<EventLoopMonitor, 'figures'>
  troubles: Pick<Troubles, 'list'>
  version: () => VersionInfo
  /** traffic to open pages and other socket clients */
  traffic: () => Traffic
  /** by the monotonic clock */
  upSince: number
  clock: Clock
}

/** The first three have the conventional names of process metrics. */
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
  const currentProblems = () => troubles.list().filter(({ current }) => current).length
  return [
    gauge(
      'process_start_time_seconds',
      'Start time of Pulse, in seconds since 1970.',
      () => (upSince + offset()) / 1000,
    ),
    counter('process_cpu_seconds_total', 'CPU time used by Pulse, in seconds.', () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    }),
    gauge('process_resident_memory_bytes', 'Resident memory of Pulse.', () => process.memoryUsage.rss()),
    {
      name: 'pulse_build_info',
      type: 'gauge',
      help: 'The running version of Pulse. Always 1.',
      labels: ['version', 'channel', 'deployment', 'runtime'],
      samples() {
        const { version: own, channel, deploymentType, runtime } = version()
        return [[1, own, channel, deploymentType, runtime]]
      },
    },
    gauge(
      'pulse_update_available',
      'Whether an update for Pulse is available.',
      () => version().updateAvailable,
    ),
    gauge(
      'pulse_problems',
      'Current problems of Pulse itself; /api/health lists them for administrators.',
      currentProblems,
    ),
    gauge(
      'pulse_troubles',
      'Deprecated, removed in the next release: the former name of pulse_problems.',
      currentProblems,
    ),
    gauge(
      'pulse_event_loop_block_seconds',
      'Longest event loop block in the last minute, in seconds.',
      () => loop.figures().longestBlockMs / 1000,
    ),
    gauge(
      'pulse_event_loop_wait_seconds',
      '99th percentile of the event loop delay in the last minute, in seconds.',
      () => loop.figures().waitP99Ms / 1000,
    ),
    gauge('pulse_live_clients', 'Connected WebSocket clients.', () => state.meta.stats.webSocketClients),
    counter('pulse_live_frames_total', 'Frames sent to WebSocket clients.', () => traffic().frames),
    counter('pulse_live_sent_bytes_total', 'Bytes sent to WebSocket clients.', () => traffic().bytes),
  ]
}
