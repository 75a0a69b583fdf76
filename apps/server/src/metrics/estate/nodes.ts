import type { Node } from '@pulse/contract'
import { fresh, inSeconds, ofKind } from '../of-kind.ts'

const nodes = ofKind('nodes')

/** One that is off tells nothing new, which makes its figures old; that it is off is new as long as its cluster says so. */
function isUp({ status, connectionHealth, staleSince }: Node) {
  if (status === 'offline') return connectionHealth === 'error' ? undefined : false
  return status === 'online' && staleSince === undefined ? true : undefined
}

export const nodeMetrics = [
  nodes.info('pulse_node_info', 'Names and versions of a node of Proxmox VE. Always 1.', {
    source: ({ source }) => source,
    node: ({ node }) => node,
    name: ({ displayName }) => displayName,
    connection: ({ instance }) => instance,
    cluster: ({ clusterName }) => clusterName,
    version: ({ pveVersion }) => pveVersion,
    kernel: ({ kernelVersion }) => kernelVersion,
  }),
  nodes.state('pulse_node_up', 'Whether the node is online; absent while unknown.', isUp),
  nodes.gauge(
    'pulse_node_cpu_usage_ratio',
    'Share of all CPUs of the node in use, 0 to 1.',
    ({ cpu }) => cpu,
  ),
  nodes.gauge('pulse_node_cpus', 'Logical CPUs of the node.', ({ cpuInfo }) => cpuInfo?.cores),
  nodes.gauge('pulse_node_memory_size_bytes', 'Memory of the node.', ({ memory }) => fresh(memory)?.total),
  nodes.gauge(
    'pulse_node_memory_used_bytes',
    'Memory of the node in use.',
    ({ memory }) => fresh(memory)?.used,
  ),
  nodes.gauge('pulse_node_swap_size_bytes', 'Swap of the node.', ({ memory }) => fresh(memory)?.swapTotal),
  nodes.gauge(
    'pulse_node_swap_used_bytes',
    'Swap of the node in use.',
    ({ memory }) => fresh(memory)?.swapUsed,
  ),
  nodes.gauge(
    'pulse_node_disk_size_bytes',
    'Size of the root file system of the node.',
    ({ disk }) => fresh(disk)?.total,
  ),
  nodes.gauge(
    'pulse_node_disk_used_bytes',
    'Used space of the root file system of the node.',
    ({ disk }) => fresh(disk)?.used,
  ),
  nodes.split(
    'pulse_node_load',
    'Load average of the node over 1, 5 and 15 minutes.',
    ['minutes'],
    ({ loadAverage }) => ['1', '5', '15'].map((minutes, i) => [loadAverage[i], minutes] as const),
  ),
  nodes.gauge(
    'pulse_node_start_time_seconds',
    'Start time of the node, in seconds since 1970.',
    ({ startedAt }) => inSeconds(startedAt),
  ),
  nodes.gauge(
    'pulse_node_cpu_temperature_celsius',
    'Temperature of the CPU package of the node, or of its hottest core.',
    (node) =>
      node.temperature?.available ? (node.temperature.cpuPackage ?? node.temperature.cpuMax) : undefined,
  ),
  nodes.split(
    'pulse_node_nvme_temperature_celsius',
    'Temperature of an NVMe disk of the node.',
    ['device'],
    ({ temperature }) =>
      temperature?.available
        ? (temperature.nvme ?? []).map(({ device, temp }) => [temp, device] as const)
        : [],
  ),
]
