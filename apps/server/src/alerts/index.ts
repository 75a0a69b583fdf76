import type { AlertConfig, AlertTrace, LiveEvent } from '@pulse/contract'
import type { AlertChange, EpisodeEnd, SentNotice, StoredAlert } from '@pulse/domain'
import type { Area } from '../area.ts'
import { alertStore } from '../db/alerts.ts'
import type { SettingsTable } from '../db/settings.ts'
import type { Foundation } from '../foundation.ts'
import { counter } from '../metric.ts'
import { diagnoseAlerts, gatesOf } from './diagnose.ts'
import { createAlertHistory } from './history.ts'
import { alertRoutes } from './routes.ts'
import { createSignal, type OnSignal } from '../signal.ts'
import { createAlertSettings } from './settings.ts'
import { createAlertWatch } from './watch.ts'

export interface AlertAreaEdges extends Pick<
  Foundation,
  'db' | 'state' | 'clock' | 'log' | 'mask' | 'onWrite' | 'onStorageBack' | 'report' | 'troubles'
> {
  store: SettingsTable
  publish: (event: LiveEvent) => void
  /** A user changed an alert; pages update immediately. */
  refresh: () => void
}

/** The alerts as the notifications use them. */
export interface AlertArea extends Area {
  config: () => AlertConfig
  stored: () => readonly StoredAlert[]
  /** by episode */
  endsOf: (episodes: readonly string[]) => Promise<ReadonlyMap<string, EpisodeEnd>>
  /** The trace of an alert or a resource; undefined when it is unknown. */
  trace: (alertOrResource: string) => AlertTrace | undefined
  /** Notifications were delivered. */
  notified: (notices: readonly SentNotice[]) => void
  /** Fires when the changes are stored, or when the disk has refused them. */
  onChanges: OnSignal<[changes: readonly AlertChange[]]>
  onConfig: OnSignal<[now: AlertConfig]>
}

/** Active and past alerts. The area subscribes to the state and is a source of records. */
export function alertArea({
  db,
  store,
  mask,
  onWrite,
  onStorageBack,
  publish,
  refresh,
  report,
  troubles,
  ...edges
}: AlertAreaEdges): AlertArea {
  const { state, clock, log } = edges
  const { tables } = state
  const alerts = alertStore(db)
  const settings = createAlertSettings({ store, tables, clock, log, onWrite, troubles })
  const changes = createSignal<[changes: readonly AlertChange[]]>()
  const watch = createAlertWatch({
    ...edges,
    store: alerts,
    config: settings.current,
    publish,
    onChanges: changes.emit,
    refresh,
    onFault: (error) => report('alerts', error),
  })
  const history = createAlertHistory({ ...edges, tables, store: alerts, active: watch.active })
  onStorageBack(() => void watch.storageIsBack())
  settings.onChange((now) => {
    void watch.configure(now)
    publish({ type: 'alertConfigChanged', data: {} })
  })
  return {
    name: 'the alerts',
    isLed: true,
    routes: alertRoutes({ settings, watch, history, mask }),
    config: settings.current,
    stored: watch.stored,
    endsOf: watch.endsOf,
    trace(alertOrResource) {
      const conditions = watch.explain(alertOrResource)
      return conditions && { gates: gatesOf(settings.current()), conditions }
    },
    notified: watch.notified,
    onChanges: changes.on,
    onConfig: settings.onChange,
    exportParts: settings.exportParts,
    caches: [settings],
    async diagnose() {
      // what is wrong with the database must not hide everything else
      const entries = await history.count().then(
        (count) => ({ count }),
        (error: Error) => ({ problem: error.message }),
      )
      const known = { config: settings.current(), active: watch.active(), now: clock.now() }
      return { alerts: diagnoseAlerts({ ...known, entries }) }
    },
    metrics: [
      counter(
        'pulse_alert_evaluations_total',
        'Evaluations of the alert rules.',
        () => watch.evaluations().count,
      ),
      counter(
        'pulse_alert_evaluation_seconds_total',
        'Time spent evaluating the alert rules, in seconds.',
        () => watch.evaluations().seconds,
      ),
    ],
    start: settings.start,
    async lead() {
      await watch.start()
      history.start()
    },
    async stop() {
      history.stop()
      await watch.stop()
    },
  }
}
