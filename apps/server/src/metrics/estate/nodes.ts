import { figures } from '@pulse/contract'
import { ofKind } from '../of-kind.ts'

const nodes = ofKind('nodes')

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
  ...nodes.figures(figures.nodes),
  nodes.split(
    'pulse_node_load',
    'Load average of the node over 1, 5 and 15 minutes.',
    ['minutes'],
    ({ loadAverage }) => ['1', '5', '15'].map((minutes, i) => [loadAverage[i], minutes] as const),
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
