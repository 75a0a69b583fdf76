import { alertDefaults, type AlertConfig, type DisableSwitch, type OverrideKind } from '@pulse/contract'
import { type DelayKind, withoutDelays } from './delay.ts'
import {
  containerMetrics,
  guestMetrics,
  mailMetrics,
  type Metric,
  nodeMetrics,
  pbsMetrics,
  storageMetrics,
} from './metrics.ts'
import { stored, triggerOf } from './value.ts'

export const tabs = [
  { id: 'proxmox', label: 'Proxmox / PBS' },
  { id: 'mail-gateway', label: 'Mail Gateway' },
  { id: 'docker', label: 'Docker' },
] as const
export type TabId = (typeof tabs)[number]['id']

/** A block of the configuration: a table's defaults by metric. */
type Block = Readonly<Record<string, unknown>>

/** A table of resources and the defaults they inherit. */
export interface ThresholdTable {
  /** record kind of the rows */
  kind: OverrideKind
  tab: TabId
  title: string
  /** name of a row, as in `No guests match the search` */
  noun: string
  metrics: readonly Metric[]
  block: (config: AlertConfig) => Block
  /** undefined if another table edits the values */
  withBlock?: (config: AlertConfig, block: Block) => AlertConfig
  /** disables all alerts of the table */
  allOff: DisableSwitch
  /** the offline alert is on or off (`switch`), or has a level (`severity`) */
  offline?:
    | { control: 'switch'; allOff: DisableSwitch }
    /** without `allOff`, the state is inherited from the guests */
    | { control: 'severity'; allOff?: DisableSwitch }
  /** alerts can be disabled per row */
  rowSwitch: boolean
  /** thresholds can be overridden per row */
  rowValues: boolean
  /** another table that edits the same stored values */
  sharedWith?: OverrideKind
  /** the only table that edits these values */
  follows?: OverrideKind
  delays?: DelayKind
}

const storageValues = {
  metrics: storageMetrics,
  block: (config: AlertConfig): Block => ({ usage: config.storageDefault, ...config.storageLimits }),
  withBlock: (config: AlertConfig, { usage, ...limits }: Block): AlertConfig => ({
    ...config,
    storageDefault: usage as AlertConfig['storageDefault'],
    storageLimits: limits as AlertConfig['storageLimits'],
  }),
}

export const tables: readonly ThresholdTable[] = [
  {
    kind: 'nodes',
    tab: 'proxmox',
    title: 'Proxmox Nodes',
    noun: 'nodes',
    metrics: nodeMetrics,
    block: (config) => config.nodeDefaults,
    withBlock: (config, block) => ({ ...config, nodeDefaults: block as AlertConfig['nodeDefaults'] }),
    allOff: 'disableAllNodes',
    offline: { control: 'switch', allOff: 'disableAllNodesOffline' },
    rowSwitch: false,
    rowValues: true,
    delays: 'node',
  },
  {
    kind: 'pbs',
    tab: 'proxmox',
    title: 'PBS Servers',
    noun: 'backup servers',
    metrics: pbsMetrics,
    block: (config) => config.nodeDefaults,
    follows: 'nodes',
    allOff: 'disableAllPBS',
    offline: { control: 'switch', allOff: 'disableAllPBSOffline' },
    rowSwitch: true,
    rowValues: true,
    delays: 'pbs',
  },
  {
    kind: 'guests',
    tab: 'proxmox',
    title: 'VMs & Containers',
    noun: 'guests',
    metrics: guestMetrics,
    block: (config) => config.guestDefaults,
    withBlock: (config, block) => ({ ...config, guestDefaults: block as AlertConfig['guestDefaults'] }),
    allOff: 'disableAllGuests',
    offline: { control: 'severity', allOff: 'disableAllGuestsOffline' },
    rowSwitch: true,
    rowValues: true,
    delays: 'guest',
  },
  {
    kind: 'storage',
    tab: 'proxmox',
    title: 'Storage Devices',
    noun: 'storage devices',
    ...storageValues,
    sharedWith: 'datastores',
    allOff: 'disableAllStorage',
    rowSwitch: true,
    rowValues: true,
    delays: 'storage',
  },
  {
    kind: 'datastores',
    tab: 'proxmox',
    title: 'PBS Datastores',
    noun: 'datastores',
    ...storageValues,
    sharedWith: 'storage',
    allOff: 'disableAllDatastores',
    rowSwitch: true,
    rowValues: true,
  },
  {
    kind: 'pmg',
    tab: 'mail-gateway',
    title: 'Mail Gateways',
    noun: 'mail gateways',
    metrics: mailMetrics,
    block: (config) => config.pmgDefaults,
    withBlock: (config, block) => ({ ...config, pmgDefaults: block as AlertConfig['pmgDefaults'] }),
    allOff: 'disableAllPMG',
    offline: { control: 'switch', allOff: 'disableAllPMGOffline' },
    rowSwitch: true,
    rowValues: false,
  },
  {
    kind: 'dockerHosts',
    tab: 'docker',
    title: 'Docker Hosts',
    noun: 'hosts',
    metrics: [],
    block: () => ({}),
    allOff: 'disableAllDockerHosts',
    offline: { control: 'switch', allOff: 'disableAllDockerHostsOffline' },
    rowSwitch: false,
    rowValues: false,
  },
  {
    kind: 'dockerContainers',
    tab: 'docker',
    title: 'Docker Containers',
    noun: 'containers',
    metrics: containerMetrics,
    block: (config) => config.dockerDefaults,
    withBlock: (config, block) => ({ ...config, dockerDefaults: block as AlertConfig['dockerDefaults'] }),
    allOff: 'disableAllDockerContainers',
    offline: { control: 'severity' },
    rowSwitch: true,
    rowValues: true,
    delays: 'docker',
  },
]

export const tableOf = (kind: OverrideKind): ThresholdTable => tables.find((table) => table.kind === kind)!

export const defaultTrigger = (
  table: ThresholdTable,
  config: AlertConfig,
  metric: string,
): number | undefined => triggerOf(table.block(config)[metric])

/** Without a value, restores the factory default. */
export function withDefault(
  table: ThresholdTable,
  config: AlertConfig,
  metric: Metric,
  trigger: number | undefined,
): AlertConfig {
  const before = defaultTrigger(table, config, metric.key)
  const after = trigger ?? defaultTrigger(table, alertDefaults, metric.key)
  if (after === undefined || after === before || !table.withBlock) return config
  return table.withBlock(config, { ...table.block(config), [metric.key]: stored(metric, after) })
}

/** Restores a table's factory defaults and removes its per-metric delays. */
export function withFactory(table: ThresholdTable, config: AlertConfig): AlertConfig {
  if (isFactory(table, config)) return config
  const values = table.withBlock?.(config, { ...table.block(config), ...factoryOf(table) }) ?? config
  return table.delays ? withoutDelays(values, table.delays) : values
}

export const isFactory = (table: ThresholdTable, config: AlertConfig): boolean =>
  (!table.withBlock ||
    table.metrics.every(
      ({ key }) => defaultTrigger(table, config, key) === defaultTrigger(table, alertDefaults, key),
    )) &&
  (!table.delays || !config.metricTimeThresholds[table.delays])

const factoryOf = (table: ThresholdTable): Block => {
  const block = table.block(alertDefaults)
  return Object.fromEntries(table.metrics.map(({ key }) => [key, block[key]]))
}
