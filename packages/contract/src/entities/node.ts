import * as z from 'zod/mini'
import { ConnectionHealth, EpochMs, fromSource, Memory, Usage } from './common.ts'

/** Degrees Celsius. */
export const NodeTemperature = z.object({
  available: z.boolean(),
  hasCPU: z.boolean(),
  hasNVMe: z.boolean(),
  cpuPackage: z.optional(z.number()),
  cpuMax: z.optional(z.number()),
  cpuMin: z.optional(z.number()),
  cpuMaxRecord: z.optional(z.number()),
  minRecorded: z.optional(z.string()),
  maxRecorded: z.optional(z.string()),
  cores: z.optional(z.array(z.object({ core: z.number(), temp: z.number() }))),
  nvme: z.optional(z.array(z.object({ device: z.string(), temp: z.number() }))),
  lastUpdate: z.optional(z.string()),
})
export type NodeTemperature = z.infer<typeof NodeTemperature>

/** Sensors of a node, read outside its PVE API. */
export const NodeSensors = z.object({ node: z.string(), temperature: NodeTemperature, ...fromSource })
export type NodeSensors = z.infer<typeof NodeSensors>

export const NodeStatus = z.enum(['online', 'offline', 'unknown'])

/** A Proxmox VE node. */
export const Node = z.object({
  /** `{instance}-{node}` */
  id: z.string(),
  instance: z.string(),
  /** the node's name in its cluster */
  node: z.string(),
  name: z.string(),
  displayName: z.string(),
  /** address of the node's web interface */
  host: z.optional(z.string()),
  type: z.literal('node'),
  status: NodeStatus,
  /** fraction 0-1; absent while unknown */
  cpu: z.optional(z.number()),
  memory: z.optional(Memory),
  disk: z.optional(Usage),
  startedAt: z.optional(EpochMs),
  loadAverage: z.array(z.number()),
  kernelVersion: z.optional(z.string()),
  pveVersion: z.optional(z.string()),
  /** cores counts logical CPUs */
  cpuInfo: z.optional(
    z.object({
      model: z.optional(z.string()),
      cores: z.optional(z.number()),
      sockets: z.optional(z.number()),
      mhz: z.optional(z.string()),
    }),
  ),
  temperature: z.optional(NodeTemperature),
  connectionHealth: ConnectionHealth,
  /** data that the account may not read, with the missing permission */
  withheld: z.optional(z.string()),
  /** absent until it is known whether the node is in a cluster */
  isClusterMember: z.optional(z.boolean()),
  clusterName: z.optional(z.string()),
  ...fromSource,
})
export type Node = z.infer<typeof Node>
