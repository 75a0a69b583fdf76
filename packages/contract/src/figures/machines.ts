import type { Guest, GuestDisk } from '../entities/guest.ts'
import { forSampledGuestFields } from '../entities/sampled-fields.ts'
import { type FiguresOf, inSeconds, metric } from './figure.ts'

interface Machine {
  memory?: { staleSince?: number | undefined } | undefined
  disk?: { staleSince?: number | undefined } | undefined
}
const memoryAge = { isStale: ({ memory }: Machine) => memory?.staleSince !== undefined }
const diskAge = { isStale: ({ disk }: Machine) => disk?.staleSince !== undefined }

export const nodeFigures: FiguresOf<'nodes'> = {
  up: {
    unit: 'state',
    // An offline node reports nothing, so its record is stale. Its status is current while its cluster
    // answers.
    read({ status, connectionHealth, staleSince }) {
      if (status === 'offline') return connectionHealth === 'error' ? undefined : false
      return status === 'online' && staleSince === undefined ? true : undefined
    },
    prometheus: {
      name: 'pulse_node_up',
      help: 'Whether the node is online; absent while unknown.',
      evenStale: true,
    },
  },
  cpu: {
    unit: 'ratio',
    read: ({ cpu }) => cpu,
    field: 'cpu',
    history: 'gauge',
    ...metric('pulse_node_cpu_usage_ratio', 'Share of all CPUs of the node in use, 0 to 1.'),
  },
  cpus: {
    unit: 'count',
    read: ({ cpuInfo }) => cpuInfo?.cores,
    ...metric('pulse_node_cpus', 'Logical CPUs of the node.'),
  },
  memory: { unit: 'percent', read: ({ memory }) => memory?.usage, ...memoryAge, history: 'gauge' },
  memorySize: {
    unit: 'bytes',
    read: ({ memory }) => memory?.total,
    ...memoryAge,
    ...metric('pulse_node_memory_size_bytes', 'Memory of the node.'),
  },
  memoryUsed: {
    unit: 'bytes',
    read: ({ memory }) => memory?.used,
    field: 'memory.used',
    ...memoryAge,
    history: 'gauge',
    ...metric('pulse_node_memory_used_bytes', 'Memory of the node in use.'),
  },
  swapSize: {
    unit: 'bytes',
    read: ({ memory }) => memory?.swapTotal,
    ...memoryAge,
    ...metric('pulse_node_swap_size_bytes', 'Swap of the node.'),
  },
  swapUsed: {
    unit: 'bytes',
    read: ({ memory }) => memory?.swapUsed,
    field: 'memory.swapUsed',
    ...memoryAge,
    history: 'gauge',
    ...metric('pulse_node_swap_used_bytes', 'Swap of the node in use.'),
  },
  disk: { unit: 'percent', read: ({ disk }) => disk?.usage, ...diskAge, history: 'gauge' },
  diskSize: {
    unit: 'bytes',
    read: ({ disk }) => disk?.total,
    ...diskAge,
    field: 'disk.total',
    history: 'gauge',
    ...metric('pulse_node_disk_size_bytes', 'Size of the root file system of the node.'),
  },
  diskUsed: {
    unit: 'bytes',
    read: ({ disk }) => disk?.used,
    field: 'disk.used',
    ...diskAge,
    history: 'gauge',
    ...metric('pulse_node_disk_used_bytes', 'Used space of the root file system of the node.'),
  },
  startTime: {
    unit: 'seconds',
    read: ({ startedAt }) => inSeconds(startedAt),
    ...metric('pulse_node_start_time_seconds', 'Start time of the node, in seconds since 1970.'),
  },
  temperature: {
    unit: '°C',
    // The CPU package, or its hottest core if the package has no sensor. A sensor that reads 0 is broken.
    read({ temperature: sensors }) {
      if (!sensors?.available) return undefined
      if (sensors.cpuPackage !== undefined && sensors.cpuPackage > 0) return sensors.cpuPackage
      const hottest = Math.max(sensors.cpuMax ?? 0, ...(sensors.cores ?? []).map(({ temp }) => temp))
      return hottest > 0 ? hottest : undefined
    },
    field: 'temperature.cpuPackage',
    history: 'gauge',
  },
  sensorTemperature: {
    unit: '°C',
    read: ({ temperature: sensors }) =>
      sensors?.available ? (sensors.cpuPackage ?? sensors.cpuMax) : undefined,
    ...metric(
      'pulse_node_cpu_temperature_celsius',
      'Temperature of the CPU package of the node, or of its hottest core.',
    ),
  },
}

const earliest = (forecasts: readonly ({ fullAt?: number | undefined } | undefined)[]): number | undefined =>
  forecasts
    .map((one) => one?.fullAt)
    .filter((at) => at !== undefined)
    .sort((a, b) => a - b)[0]

export const guestFigures: FiguresOf<'guests'> = {
  up: {
    unit: 'state',
    read: ({ status }) => (status === 'unknown' ? undefined : status === 'running'),
    ...metric('pulse_guest_up', 'Whether the guest is running; absent while unknown.'),
  },
  cpu: {
    unit: 'ratio',
    read: ({ cpu }) => cpu,
    field: 'cpu',
    history: 'gauge',
    ...metric('pulse_guest_cpu_usage_ratio', 'Share of the CPUs of the guest in use, 0 to 1.'),
  },
  cpus: {
    unit: 'count',
    read: ({ cpus }) => cpus,
    ...metric('pulse_guest_cpus', 'CPUs assigned to the guest.'),
  },
  memory: { unit: 'percent', read: ({ memory }) => memory?.usage, ...memoryAge, history: 'gauge' },
  memorySize: {
    unit: 'bytes',
    read: ({ memory }) => memory?.total,
    ...memoryAge,
    ...metric('pulse_guest_memory_size_bytes', 'Memory of the guest.'),
  },
  memoryUsed: {
    unit: 'bytes',
    read: ({ memory }) => memory?.used,
    field: 'memory.used',
    ...memoryAge,
    history: 'gauge',
    ...metric('pulse_guest_memory_used_bytes', 'Memory of the guest in use.'),
  },
  disk: { unit: 'percent', read: ({ disk }) => disk?.usage, ...diskAge, history: 'gauge' },
  diskSize: {
    unit: 'bytes',
    read: ({ disk }) => disk?.total,
    ...diskAge,
    ...metric('pulse_guest_disk_size_bytes', 'Size of the disks of the guest.'),
  },
  diskUsed: {
    unit: 'bytes',
    read: ({ disk }) => disk?.used,
    field: 'disk.used',
    ...diskAge,
    history: 'gauge',
    ...metric('pulse_guest_disk_used_bytes', 'Used space on the disks of the guest; absent while unknown.'),
  },
  ...forSampledGuestFields((field, { unit, history, prometheus }) => ({
    unit,
    read: (guest: Guest) => guest[field],
    field,
    history,
    ...(prometheus && { prometheus }),
  })),
  forecastFull: {
    unit: 'seconds',
    read: ({ forecast, disks = [] }) =>
      inSeconds(earliest([forecast, ...disks.map((disk) => disk.forecast)])),
    ...metric(
      'pulse_guest_disk_full_timestamp_seconds',
      'Estimated time when the disk of the guest, or the first of its file systems, is full by its history, in seconds since 1970; absent without a forecast.',
    ),
  },
  startTime: {
    unit: 'seconds',
    read: ({ startedAt }) => inSeconds(startedAt),
    ...metric('pulse_guest_start_time_seconds', 'Start time of the guest, in seconds since 1970.'),
  },
}

/** In percent; undefined while unknown. */
export const fileSystemUsage = ({ total, usage }: GuestDisk): number | undefined =>
  total > 0 ? usage : undefined

export const fileSystemFigures: FiguresOf<'fileSystems'> = {
  up: { unit: 'state', read: ({ guest }) => guestFigures['up']!.read(guest) },
  usage: {
    unit: 'percent',
    read: ({ disk }) => fileSystemUsage(disk),
    history: 'gauge',
  },
}
