import type { AlertConfig, AlertTrace } from '@pulse/contract'
import type { AlertChange, Clock } from '@pulse/domain'
import type { Area } from '../area.ts'
import { deliveryStore } from '../db/deliveries.ts'
import type { SettingsTable } from '../db/settings.ts'
import type { Foundation } from '../foundation.ts'
import type { OnSignal } from '../signal.ts'
import type { Channels } from './channel.ts'
import { notificationParts } from './export-part.ts'
import { deliveryMetrics } from './metrics.ts'
import { type AlertSource, createPipeline } from './pipeline.ts'
import { notificationRoutes } from './routes.ts'
import { createNotificationSettings } from './settings.ts'
import { createTrial } from './test-send.ts'
import { changedWays, waysOf } from './configured-channels.ts'

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
  /** Made with what the settings let them do. */
  makeChannels: (edges: { clock: Clock; allowedHosts: () => readonly string[] }) => Channels
  publicUrl: () => string | undefined
}

/** Brings alerts to whoever wants to know: a reader of what becomes of them. */
export function notifyArea(edges: NotifyAreaEdges): Area {
  const { db, state, store, clock, log, onWrite, report, troubles, alerts, makeChannels, publicUrl } = edges
  const settings = createNotificationSettings({ store, log, onWrite, troubles })
  const channels = makeChannels({ clock, allowedHosts: () => settings.current().outbound.allowedHosts })
  const deliveries = deliveryStore(db)
  let known = settings.current()
  let ways = waysOf(known, channels)
  const pipeline = createPipeline({
    alerts,
    ways: () => ways,
    store: deliveries,
    clock,
    log,
    troubles,
    report,
    publicUrl,
  })
  edges.onStorageBack(() => void pipeline.storageIsBack())
  settings.onChange(() => {
    const now = settings.current()
    const changed = changedWays(known, now)
    known = now
    ways = waysOf(now, channels)
    pipeline.setWays(changed)
  })
  alerts.onChanges(pipeline.hear)
  alerts.onConfig(pipeline.configure)
  const stopping = new AbortController()
  const trial = createTrial({
    clock,
    store: deliveries,
    publicUrl,
    someNode: () => state.tables.nodes.values().next().value?.name,
    report: (error) => report('notifier', error),
    stop: stopping.signal,
  })
  return {
    name: 'the notifications',
    routes: notificationRoutes({
      settings,
      channels,
      pipeline,
      store: deliveries,
      trial,
      trace: alerts.trace,
    }),
    exportParts: notificationParts(settings.documents),
    caches: [settings],
    diagnose: () => ({
      notes: pipeline
        .status()
        .flatMap(({ name, lastError }) => (lastError === undefined ? [] : [`${name} fails: ${lastError}`])),
    }),
    metrics: deliveryMetrics(pipeline),
    async start() {
      await settings.start()
      await pipeline.start()
    },
    stop() {
      stopping.abort()
      return pipeline.stop()
    },
  }
}
