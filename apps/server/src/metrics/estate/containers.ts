import { inSeconds, ofKind } from '../of-kind.ts'

const hosts = ofKind('dockerHosts')
const containers = ofKind('dockerContainers')

const health: Record<string, boolean> = { healthy: true, unhealthy: false }

export const containerMetrics = [
  hosts.info('pulse_container_host_info', 'A container host with an agent. Always 1.', {
    source: ({ source }) => source,
    host: ({ id }) => id,
    name: ({ displayName }) => displayName,
    engine: ({ engine }) => engine,
    version: ({ dockerVersion }) => dockerVersion,
    agent_version: ({ agentVersion }) => agentVersion,
  }),
  hosts.state(
    'pulse_container_host_up',
    'Whether the agent of the container host is online.',
    ({ status }) => status === 'online',
  ),
  hosts.gauge('pulse_container_host_cpus', 'CPUs of the container host.', ({ cpus }) => cpus),
  hosts.gauge(
    'pulse_container_host_memory_size_bytes',
    'Memory of the container host.',
    ({ totalMemoryBytes }) => totalMemoryBytes,
  ),
  hosts.gauge(
    'pulse_container_host_start_time_seconds',
    'Start time of the container host, in seconds since 1970.',
    ({ startedAt }) => inSeconds(startedAt),
  ),

  containers.info('pulse_container_info', 'A container of a container host. Always 1.', {
    source: ({ source }) => source,
    host: ({ host }) => host,
    name: ({ name }) => name,
    image: ({ image }) => image,
  }),
  containers.gauge(
    'pulse_container_up',
    'Whether the container is running.',
    ({ state }) => state === 'running',
  ),
  containers.gauge(
    'pulse_container_healthy',
    'Result of the health check of the container; absent without a health check.',
    (container) => health[container.health ?? ''],
  ),
  containers.gauge(
    'pulse_container_cpu_usage_cores',
    'CPU usage of the container, in CPUs.',
    ({ cpuPercent }) => (cpuPercent === undefined ? undefined : cpuPercent / 100),
  ),
  containers.gauge(
    'pulse_container_memory_used_bytes',
    'Memory used by the container.',
    ({ memoryUsageBytes }) => memoryUsageBytes,
  ),
  containers.gauge(
    'pulse_container_memory_limit_bytes',
    'Memory limit of the container.',
    ({ memoryLimitBytes }) => memoryLimitBytes,
  ),
  containers.counter(
    'pulse_container_restarts_total',
    'Restarts of the container by its engine.',
    ({ restartCount }) => restartCount,
  ),
  containers.gauge(
    'pulse_container_oom_killed',
    'Whether the last run of the container was killed because it ran out of memory.',
    (container) => container.oomKilled,
  ),
  containers.gauge(
    'pulse_container_start_time_seconds',
    'Start time of the container, in seconds since 1970.',
    ({ startedAt }) => inSeconds(startedAt),
  ),
]
