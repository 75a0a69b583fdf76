import {
  type AlertConfig,
  type AlertMetric,
  alertMetricNames,
  type AlertOverride,
  type CustomRule,
  type DisableSwitch,
  type Guest,
  type PlainLimit,
  plainLimitNames,
  type RecordKind,
  type SettingOrigin,
  type Threshold,
} from '@pulse/contract'
import type { AlertLevel } from './condition.ts'
import { customRuleFor } from './custom-rules.ts'
import { offlineState, saysOffline } from './offline-state.ts'
import { overrideOf } from './override-key.ts'

export interface SetThreshold extends Threshold {
  origin: SettingOrigin
}
export interface SetFigure {
  value: number
  origin: SettingOrigin
}

/** The effective settings of one record, field by field, with their origins. */
export interface Policy {
  /** why none of its conditions is evaluated */
  off: string | undefined
  /** the same, ignoring the switch for the whole kind */
  ownOff: string | undefined
  /** alert for offline or powered off: why it is off, or its level */
  offline: { off: string | undefined; level: AlertLevel; origin: SettingOrigin }
  thresholds: { readonly [M in AlertMetric]?: SetThreshold }
  figures: { readonly [L in PlainLimit]?: SetFigure }
}

interface KindPolicy {
  /** name of the kind in a reason */
  what: string
  all: DisableSwitch
  allOffline?: DisableSwitch
  /** name and values of the defaults */
  defaults: (config: AlertConfig) => { name: string; values: AlertOverride }
  /** the same for offline alerts, if they are in another section */
  offline?: (config: AlertConfig) => { name: string; values: AlertOverride }
}

const nodeValues = (config: AlertConfig) => ({ name: 'nodeDefaults', values: config.nodeDefaults })
const guestValues = (config: AlertConfig) => ({ name: 'guestDefaults', values: config.guestDefaults })
const nothing = { values: {} }
const storageValues = (config: AlertConfig) => ({
  name: 'storageDefault',
  values: { usage: config.storageDefault, ...config.storageLimits },
})
const noValues = (name: string) => () => ({ name, ...nothing })

/** Defaults and switches by record kind. */
const kindPolicies = {
  nodes: {
    what: 'nodes',
    all: 'disableAllNodes',
    allOffline: 'disableAllNodesOffline',
    defaults: nodeValues,
  },
  guests: {
    what: 'guests',
    all: 'disableAllGuests',
    allOffline: 'disableAllGuestsOffline',
    defaults: guestValues,
  },
  storage: { what: 'storage', all: 'disableAllStorage', defaults: storageValues },
  datastores: { what: 'datastores', all: 'disableAllDatastores', defaults: storageValues },
  physicalDisks: { what: 'physical disks', all: 'disableAllDisks', defaults: noValues('storageDefault') },
  cephClusters: { what: 'Ceph clusters', all: 'disableAllCeph', defaults: noValues('storageDefault') },
  pbs: {
    what: 'backup servers',
    all: 'disableAllPBS',
    allOffline: 'disableAllPBSOffline',
    defaults: nodeValues,
  },
  pmg: {
    what: 'mail gateways',
    all: 'disableAllPMG',
    allOffline: 'disableAllPMGOffline',
    defaults: noValues('pmgDefaults'),
  },
  dockerHosts: {
    what: 'container hosts',
    all: 'disableAllDockerHosts',
    allOffline: 'disableAllDockerHostsOffline',
    defaults: noValues('dockerDefaults'),
  },
  dockerContainers: {
    what: 'containers',
    all: 'disableAllDockerContainers',
    defaults: (config) => ({ name: 'dockerDefaults', values: config.dockerDefaults }),
    offline: guestValues,
  },
} as const satisfies Partial<Record<RecordKind, KindPolicy>>

export type PolicyKind = keyof typeof kindPolicies

interface Layer {
  origin: SettingOrigin
  values: AlertOverride
}

/** The policies of one configuration. */
export interface Policies {
  of(kind: PolicyKind, recordKey: string, record: object): Policy
  forget(kind: RecordKind, recordKey: string): void
}

/** A cached policy; valid while the wire id is the same. */
interface Found {
  wireId: unknown
  policy: Policy
}

/** `isNode`: whether a key belongs to a node of any source. */
export function createPolicies(config: AlertConfig, isNode: (key: string) => boolean): Policies {
  const rules = config.customRules.filter(({ enabled }) => enabled)
  const usual = new Map<PolicyKind, Policy>()
  const found = new Map<RecordKind, Map<string, Found>>()
  const hasOverrides = Object.keys(config.overrides).length > 0

  function usualOf(kind: PolicyKind): Policy {
    const known = usual.get(kind) ?? policyOf(config, kind, [])
    usual.set(kind, known)
    return known
  }

  function lookUp(kind: PolicyKind, recordKey: string, record: object): Policy {
    const source = 'source' in record ? String(record.source) : ''
    const own = overrideOf(config.overrides, kind, recordKey, record, (name) => isNode(`${source}:${name}`))
    const rule = kind === 'guests' ? customRuleFor(rules, record as Guest) : undefined
    if (!own && !rule) return usualOf(kind)
    const layers: Layer[] = []
    if (own) layers.push({ origin: { from: 'override', name: own.key }, values: own.override })
    if (rule) layers.push(layerOf(rule))
    return policyOf(config, kind, layers)
  }

  return {
    of(kind, recordKey, record) {
      // The matching rule may change with the guest's figures.
      if (kind === 'guests' && rules.length > 0) return lookUp(kind, recordKey, record)
      if (!hasOverrides) return usualOf(kind)
      const wireId = 'id' in record ? record.id : undefined
      const ofKind = found.get(kind) ?? new Map<string, Found>()
      found.set(kind, ofKind)
      const known = ofKind.get(recordKey)
      if (known && known.wireId === wireId) return known.policy
      const policy = lookUp(kind, recordKey, record)
      ofKind.set(recordKey, { wireId, policy })
      return policy
    },
    forget: (kind, recordKey) => void found.get(kind)?.delete(recordKey),
  }
}

const layerOf = ({ name, thresholds }: CustomRule): Layer => ({
  origin: { from: 'rule', name },
  values: thresholds,
})

function policyOf(config: AlertConfig, kind: PolicyKind, special: readonly Layer[]): Policy {
  const own: KindPolicy = kindPolicies[kind]
  const { name, values } = own.defaults(config)
  const layers = [...special, { origin: { from: 'defaults', name } as const, values }]
  const ownOff = ownOffFor(config, special)
  return {
    off:
      (config.enabled && config[own.all] ? `Alerts of ${own.what} are switched off.` : undefined) ?? ownOff,
    ownOff,
    offline: offlineOf(config, own, special),
    thresholds: thresholdsOf(config, layers),
    figures: figuresOf(layers),
  }
}

function ownOffFor(config: AlertConfig, special: readonly Layer[]): string | undefined {
  if (!config.enabled) return 'Alerts are switched off.'
  const layer = special.find(({ values }) => values.disabled !== undefined)
  return layer?.values.disabled ? 'Its alerts are switched off.' : undefined
}

function offlineOf(
  config: AlertConfig,
  { what, allOffline, defaults, offline = defaults }: KindPolicy,
  special: readonly Layer[],
): Policy['offline'] {
  const last = offline(config)
  const layers: Layer[] = [...special, { origin: { from: 'defaults', name: last.name }, values: last.values }]
  const severe = layers.find(({ values }) => values.poweredOffSeverity !== undefined)
  const word = layers.find(({ values }) => saysOffline(values))
  const isOff = offlineState(layers.map(({ values }) => values)) === 'off'
  return {
    off:
      allOffline !== undefined && config[allOffline]
        ? `Offline alerts of ${what} are switched off.`
        : isOff
          ? 'Its offline alerts are switched off.'
          : undefined,
    level: severe?.values.poweredOffSeverity ?? 'warning',
    origin: (severe ?? word ?? layers.at(-1)!).origin,
  }
}

function thresholdsOf(config: AlertConfig, layers: readonly Layer[]): Policy['thresholds'] {
  const found: { [M in AlertMetric]?: SetThreshold } = {}
  for (const metric of alertMetricNames) {
    const layer = layers.find(({ values }) => values[metric] !== undefined)
    const set = layer?.values[metric]
    if (!layer || !set) continue
    const clear = clearOf(set.trigger, set.clear, config.hysteresisMargin)
    found[metric] = { trigger: set.trigger, clear, origin: layer.origin }
  }
  return found
}

/**
 * Without a clear value it clears one margin below the trigger, or at the trigger if the result would be 0.
 */
export function clearOf(trigger: number, clear: number, margin: number): number {
  if (trigger <= 0) return 0
  const wanted = clear > 0 ? Math.min(clear, trigger) : trigger - margin
  return wanted > 0 ? wanted : trigger
}

function figuresOf(layers: readonly Layer[]): Policy['figures'] {
  const found: { [L in PlainLimit]?: SetFigure } = {}
  for (const limit of plainLimitNames) {
    const layer = layers.find(({ values }) => values[limit] !== undefined)
    if (layer) found[limit] = { value: layer.values[limit]!, origin: layer.origin }
  }
  return found
}
