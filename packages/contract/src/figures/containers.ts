import { type FiguresOf, inSeconds, metric } from './figure.ts'

const containerHealth: Readonly<Record<string, boolean>> = { healthy: true, unhealthy: false }

export const dockerHostFigures: FiguresOf<'dockerHosts'> = {
  up: {
    unit: 'state',
    read: ({ status }) => status === 'online',
    prometheus: {
      name: 'pulse_container_host_up',
      help: 'Whether the agent of the container host reports.',
      evenStale: true,
    },
  },
  cpus: {
    unit: 'count',
    read: ({ cpus }) => cpus,
    ...metric('pulse_container_host_cpus', 'CPUs of the container host.'),
  },
  memorySize: {
    unit: 'bytes',
    read: ({ totalMemoryBytes }) => totalMemoryBytes,
    ...metric('pulse_container_host_memory_size_bytes', 'Memory of the container host.'),
  },
  startTime: {
    unit: 'seconds',
    read: ({ startedAt }) => inSeconds(startedAt),
    ...metric('pulse_container_host_start_time_seconds', 'When the container host was started, since 1970.'),
  },
}

export const dockerContainerFigures: FiguresOf<'dockerContainers'> = {
  up: {
    unit: 'state',
    read: ({ state }) => state === 'running',
    ...metric('pulse_container_up', 'Whether the container runs.'),
  },
  healthy: {
    unit: 'state',
    read: ({ health = '' }) => containerHealth[health],
    ...metric('pulse_container_healthy', 'What the health check of the container says; absent without one.'),
  },
  cpu: { unit: 'percent', read: ({ cpuPercent }) => cpuPercent, history: 'gauge' },
  cpuCores: {
    unit: 'cores',
    read: ({ cpuPercent }) => (cpuPercent === undefined ? undefined : cpuPercent / 100),
    ...metric('pulse_container_cpu_usage_cores', 'CPUs that the container uses.'),
  },
  memory: { unit: 'percent', read: ({ memoryPercent }) => memoryPercent, history: 'gauge' },
  memoryUsed: {
    unit: 'bytes',
    read: ({ memoryUsageBytes }) => memoryUsageBytes,
    history: 'gauge',
    ...metric('pulse_container_memory_used_bytes', 'Memory that the container uses.'),
  },
  memoryLimit: {
    unit: 'bytes',
    read: ({ memoryLimitBytes }) => memoryLimitBytes,
    ...metric('pulse_container_memory_limit_bytes', 'Memory that the container may use.'),
  },
  restarts: {
    unit: 'count',
    read: ({ restartCount }) => restartCount,
    prometheus: {
      name: 'pulse_container_restarts_total',
      help: 'How often its engine started the container again.',
      type: 'counter',
    },
  },
  oomKilled: {
    unit: 'state',
    read: ({ oomKilled }) => oomKilled,
    ...metric(
      'pulse_container_oom_killed',
      'Whether the kernel ended the last run of the container for want of memory.',
    ),
  },
  startTime: {
    unit: 'seconds',
    read: ({ startedAt }) => inSeconds(startedAt),
    ...metric('pulse_container_start_time_seconds', 'When the container was started, since 1970.'),
  },
}
