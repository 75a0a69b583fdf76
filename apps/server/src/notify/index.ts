import type { AlertConfig, AlertTrace } from '@pulse/contract'
import type { AlertChange } from '@pulse/domain'
import type { Area } from '../area.ts'
import { deliveryStore } from '../db/deliveries.ts'
import type { SettingsTable } from '../db/settings.ts'
import type { Foundation } from '../foundation.ts'
import { createOutbound } from '../outbound/guard.ts'
import type { SettingsEdges } from '../settings-document.ts'
import type { OnSignal } from '../signal.ts'
import { allowedHostsRoutes, allowedHostsSettings } from './allowed-hosts.ts'
import { changedChannels } from './channel.ts'
import { createChannelModules } from './channels/index.ts'
import type { ChannelEdges } from './channels/module.ts'
import { deliveryMetrics } from './metrics.ts'
import type { AlertSource } from './alert-source.ts'
import { createPipeline } from './pipeline.ts'
import { notificationRoutes } from './routes.ts'
import { createDocumentGroup } from './settings.ts'
import { createTestSend } from './test-send.ts'

export interface AlertSignals extends AlertSource {
  onChanges: OnSignal<[changes: readonly AlertChange[]]>
  onConfig: OnSignal<[now: AlertConfig]>
  trace: (alertOrResource: string) => AlertTrace | undefined
}

export interface NotifyAreaEdges extends Pick<
  Foundation,
  'db' | 'state' | 'clock' | 'log' | 'onWrite' | 'onStorageBack' | 'report' | 'troubles'
> {
  store: SettingsTable
  alerts: AlertSignals
  publicUrl: () => string | undefined
  /** Whether this process certainly is the only one that sends. */
  maySend: () => boolean
}

/** The channels with their settings, and the hosts that they may reach. */
export function configuredChannels(
  edges: SettingsEdges & Pick<ChannelEdges, 'clock' | 'sendTest' | 'deliveries'>,
) {
  const group = createDocumentGroup(edges)
  const modules = createChannelModules({
    ...edges,
    env: process.env,
    openDocument: group.open,
    outbound: createOutbound({
      clock: edges.clock,
      allowedHosts: () => allowedHosts.current().allowedHosts,
    }),
  })
  const allowedHosts = group.open(allowedHostsSettings)
  const all = Object.values(modules)
  return {
    group,
    modules,
    allowedHosts,
    channels: () => all.flatMap((module) => module.channels()),
    routes: [...all.flatMap(({ routes }) => routes), ...allowedHostsRoutes(allowedHosts)],
  }
}

/** Sends notifications about alerts through the configured channels. */
export function notifyArea(edges: NotifyAreaEdges): Area {
  const { db, state, clock, log, troubles, alerts, report, publicUrl, maySend } = edges
  const deliveries = deliveryStore(db)
  const stopping = new AbortController()
  const sendTest = createTestSend({
    clock,
    store: deliveries,
    publicUrl,
    someNode: () => state.tables.nodes.values().next().value?.name,
    report: (error) => report('notifier', error),
    stop: stopping.signal,
  })
  const configured = configuredChannels({ ...edges, sendTest, deliveries })
  const { group, modules, allowedHosts, routes } = configured
  let hosts = allowedHosts.current()
  let channels = configured.channels()
  const pipeline = createPipeline({
    alerts,
    channels: () => channels,
    store: deliveries,
    clock,
    log,
    troubles,
    report,
    publicUrl,
    maySend,
  })
  edges.onStorageBack(() => void pipeline.storageIsBack())
  group.onChange(() => {
    const before = channels
    channels = configured.channels()
    const areHostsChanged = hosts !== allowedHosts.current()
    hosts = allowedHosts.current()
    pipeline.setChannels(changedChannels(before, channels, { areHostsChanged }))
  })
  alerts.onChanges(pipeline.apply)
  alerts.onConfig(pipeline.configure)
  return {
    name: 'the notifications',
    isLed: true,
    routes: [...routes, ...notificationRoutes({ modules, pipeline, store: deliveries, trace: alerts.trace })],
    exportParts: group.exportParts,
    caches: [group],
    diagnose: () => ({
      notes: pipeline
        .status()
        .flatMap(({ name, lastError }) => (lastError === undefined ? [] : [`${name} fails: ${lastError}`])),
    }),
    metrics: deliveryMetrics(pipeline),
    start: group.start,
    lead: pipeline.start,
    stop() {
      stopping.abort()
      return pipeline.stop()
    },
  }
}
