import { inSeconds, ofKind } from '../of-kind.ts'

const hosts = ofKind('dockerHosts')
const containers = ofKind('dockerContainers')

const health: Record<string, boolean> = { healthy: true, unhealthy: false }

export const containerMetrics = [
  hosts.info('pulse_container_host_info', 'A container host that an agent reports for. Always 1.', {
    source: ({ source }) => source,
    host: ({ id }) => id,
    name: ({ displayName }) => displayName,
    engine: ({ engine }) => engine,
    version: ({ dockerVersion }) => dockerVersion,
    agent_version: ({ agentVersion }) => agentVersion,
  }),
  hosts.state(
    'pulse_container_host_up',
    'Whether the agent of the container host reports.',
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
    'When the container host was started, since 1970.',
    ({ startedAt }) => inSeconds(startedAt),
  ),

  containers.info('pulse_container_info', 'A container of a container host. Always 1.', {
    source: ({ source }) => source,
    host: ({ host }) => host,
    name: ({ name }) => name,
    image: ({ image }) => image,
  }),
  containers.gauge('pulse_container_up', 'Whether the container runs.', ({ state }) => state === 'running'),
  containers.gauge(
    'pulse_container_healthy',
    'What the health check of the container says; absent without one.',
    (container) => health[container.health ?? ''],
  ),
  containers.gauge('pulse_container_cpu_usage_cores', 'CPUs that the container uses.', ({ cpuPercent }) =>
    cpuPercent === undefined ? undefined : cpuPercent / 100,
  ),
  containers.gauge(
    'pulse_container_memory_used_bytes',
    'Memory that the container uses.',
    ({ memoryUsageBytes }) => memoryUsageBytes,
  ),
  containers.gauge(
    'pulse_container_memory_limit_bytes',
    'Memory that the container may use.',
    ({ memoryLimitBytes }) => memoryLimitBytes,
  ),
  containers.counter(
    'pulse_container_restarts_total',
    'How often its engine started the container again.',
    ({ restartCount }) => restartCount,
  ),
  containers.gauge(
    'pulse_container_oom_killed',
    'Whether the kernel ended the last run of the container for want of memory.',
    (container) => container.oomKilled,
  ),
  containers.gauge(
    'pulse_container_start_time_seconds',
    'When the container was started, since 1970.',
    ({ startedAt }) => inSeconds(startedAt),
  ),
]
