import { type FiguresOf, inSeconds, metric } from './figure.ts'

const containerHealth: Readonly<Record<string, boolean>> = { healthy: true, unhealthy: false }

export const dockerHostFigures: FiguresOf<'dockerHosts'> = {
  up: {
    unit: 'state',
    read: ({ status }) => status === 'online',
    prometheus: {
      name: 'pulse_container_host_up',
      help: 'Whether the agent of the container host is online.',
      evenStale: true,
    },
  },
  cpus: {
    unit: 'count',
    read: ({ cpus }) => cpus,
    ...metric('pulse_container_host_cpus', 'CPUs of the container host.'),
  },
  cpu: { unit: 'percent', read: ({ cpuPercent }) => cpuPercent, field: 'cpuPercent', history: 'gauge' },
  memory: {
    unit: 'percent',
    read: ({ usedMemoryBytes, totalMemoryBytes }) =>
      usedMemoryBytes === undefined || totalMemoryBytes <= 0
        ? undefined
        : Math.min(100, (usedMemoryBytes / totalMemoryBytes) * 100),
    history: 'gauge',
  },
  memoryUsed: {
    unit: 'bytes',
    read: ({ usedMemoryBytes }) => usedMemoryBytes,
    field: 'usedMemoryBytes',
    history: 'gauge',
  },
  running: {
    unit: 'count',
    read: ({ runningContainers }) => runningContainers,
    field: 'runningContainers',
    history: 'gauge',
  },
  memorySize: {
    unit: 'bytes',
    read: ({ totalMemoryBytes }) => totalMemoryBytes,
    ...metric('pulse_container_host_memory_size_bytes', 'Memory of the container host.'),
  },
  startTime: {
    unit: 'seconds',
    read: ({ startedAt }) => inSeconds(startedAt),
    ...metric(
      'pulse_container_host_start_time_seconds',
      'Start time of the container host, in seconds since 1970.',
    ),
  },
}

export const dockerContainerFigures: FiguresOf<'dockerContainers'> = {
  up: {
    unit: 'state',
    read: ({ state }) => state === 'running',
    ...metric('pulse_container_up', 'Whether the container is running.'),
  },
  healthy: {
    unit: 'state',
    read: ({ health = '' }) => containerHealth[health],
    ...metric(
      'pulse_container_healthy',
      'Result of the health check of the container; absent without a health check.',
    ),
  },
  cpu: { unit: 'percent', read: ({ cpuPercent }) => cpuPercent, field: 'cpuPercent', history: 'gauge' },
  cpuCores: {
    unit: 'cores',
    read: ({ cpuPercent }) => (cpuPercent === undefined ? undefined : cpuPercent / 100),
    ...metric('pulse_container_cpu_usage_cores', 'CPU usage of the container, in CPUs.'),
  },
  memory: {
    unit: 'percent',
    read: ({ memoryPercent }) => memoryPercent,
    field: 'memoryPercent',
    history: 'gauge',
  },
  memoryUsed: {
    unit: 'bytes',
    read: ({ memoryUsageBytes }) => memoryUsageBytes,
    field: 'memoryUsageBytes',
    history: 'gauge',
    ...metric('pulse_container_memory_used_bytes', 'Memory used by the container.'),
  },
  memoryLimit: {
    unit: 'bytes',
    read: ({ memoryLimitBytes }) => memoryLimitBytes,
    ...metric('pulse_container_memory_limit_bytes', 'Memory limit of the container.'),
  },
  restarts: {
    unit: 'count',
    read: ({ restartCount }) => restartCount,
    history: 'gauge',
    // between two restarts it does not run
    evenStopped: true,
    prometheus: {
      name: 'pulse_container_restarts_total',
      help: 'Restarts of the container by its engine.',
      type: 'counter',
    },
  },
  oomKilled: {
    unit: 'state',
    read: ({ oomKilled }) => oomKilled,
    ...metric(
      'pulse_container_oom_killed',
      'Whether the last run of the container was killed because it ran out of memory.',
    ),
  },
  startTime: {
    unit: 'seconds',
    read: ({ startedAt }) => inSeconds(startedAt),
    ...metric('pulse_container_start_time_seconds', 'Start time of the container, in seconds since 1970.'),
  },
}
