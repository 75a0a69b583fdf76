import {
  deleteHistory,
  getCharts,
  getHistorySeries,
  getHistoryStorage,
  getStorageCharts,
  mostSeries,
  type RecordKind,
  type SystemSettings,
} from '@pulse/contract'
import { keepMsOf, sampledFields } from '@pulse/domain'
import path from 'node:path'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { Area } from '../area.ts'
import { RawReply, route } from '../http/route.ts'
import type { Mask } from '../masking/mask.ts'
import { counter } from '../metric.ts'
import type { SamplesSettings } from '../samples/settings.ts'
import type { State } from '../state/state.ts'
import type { FaultReport } from '../troubles/faults.ts'
import type { Troubles } from '../troubles/troubles.ts'
import { backTestRoute } from './back-test.ts'
import { createChangeRecorder } from './change-recorder.ts'
import { createChartReplies } from './chart-replies.ts'
import { type ChartEdges, createCharts } from './charts.ts'
import { createForecasts } from './forecasts.ts'
import { createHistory } from './history.ts'
import { maskedReads } from './masked-reads.ts'
import { pastRoutes } from './past.ts'
import { readSeries } from './series.ts'
import { toStorage } from './storage.ts'
import { trendsRoute } from './trends.ts'

export interface HistoryAreaEdges extends Pick<ChartEdges, 'clock'> {
  dataDir: string
  state: State
  /** the externally visible part of the state */
  shown: State
  mask: Mask | undefined
  log: Logger
  troubles: Troubles
  report: FaultReport
  settings: { current(): SystemSettings }
  /** Of several processes, those that may lead keep the history. */
  isKept: boolean
  /** another store for the samples than history.db */
  samples?: SamplesSettings | undefined
  /** False while another process writes to that store: one of a cluster does. */
  mayWrite?: () => boolean
}

const trouble = 'history'

/** The past of all figures that the catalogue marks as sampled. */
export function historyArea({
  dataDir,
  state,
  shown,
  mask,
  clock,
  log,
  troubles,
  report,
  settings,
  isKept,
  samples,
  mayWrite = () => true,
}: HistoryAreaEdges): Area {
  let isTroubled = false
  const history = createHistory({
    tables: state.tables,
    clock,
    log,
    file: path.join(dataDir, 'history.db'),
    samples: samples && { settings: samples, mayWrite },
    keepMs: () => keepMsOf(settings.current()),
    onFault: (error) => report('history', error),
    onOpened({ isNew, keptAside }) {
      recorder.resend()
      if (isNew) forecasts.restart()
      if (keptAside === undefined) return
      const name = path.basename(keptAside)
      const what = `The metric history was damaged and is kept as ${name}. A new one has begun.`
      troubles.happened('history-damaged', what, new Error('the file was damaged'))
    },
    onTrouble(text) {
      if (text !== undefined) troubles.begin(trouble, text)
      else if (isTroubled) troubles.end(trouble, 'The metric history is written again.')
      isTroubled = text !== undefined
    },
  })
  const recorder = createChangeRecorder({
    state,
    clock,
    log,
    send: async (entries) => (await history.ask({ do: 'log', now: clock.now(), entries })).logged,
    onFault: (error) => report('history', error),
  })
  const forecasts = createForecasts({
    history,
    state,
    clock,
    log,
    onFault: (error) => report('history', error),
  })
  const reads = mask ? { ...history, ...maskedReads(history, history.tables, mask) } : history
  const reachMs = history.reachMs
  const edges = { history: reads, tables: shown.tables, clock, reachMs }
  const charts = createCharts(edges)
  const inParts = createChartReplies(clock)
  return {
    name: 'the metric history',
    isLed: true,
    routes: [
      backTestRoute({ ...edges, fileSystems: history.tables.fileSystems }),
      route(getCharts, ({ query, caller }) => inParts(caller, () => charts.all(query.range))),
      route(getStorageCharts, ({ query, caller }) => inParts(caller, () => charts.storages(query.range))),
      route(getHistorySeries, async ({ query }) => {
        const { from, to, asOf, points } = query
        const kind = query.kind as RecordKind
        const ids = listOf('ids', query.ids)
        const fields = listOf('fields', query.fields)
        const unknown = fields.find(
          (name) => !sampledFields.some((one) => one.kind === kind && one.name === name),
        )
        if (unknown !== undefined)
          throw new AppError(
            'validation_failed',
            `fields: ${kind} have no history of "${unknown.slice(0, 100)}".`,
          )
        if (from >= to) throw new AppError('validation_failed', 'from: The time must be before "to".')
        return new RawReply(await readSeries(edges, { kind, ids, fields, from, to, asOf, points }))
      }),
      ...pastRoutes({ history, tables: state.tables, mask, clock, reachMs }),
      route(getHistoryStorage, async () => toStorage(await history.sizes(), samples?.url)),
      route(deleteHistory, async () => {
        await history.clear()
        if (samples) log.info({ store: samples.url }, 'history.db was deleted; the samples in the store stay')
        else log.info('the metric history was deleted; a new one has begun')
        return { success: true as const }
      }),
      trendsRoute(edges),
    ],
    metrics: [
      counter(
        'pulse_history_ticks_total',
        'Ticks at which the figures were sampled.',
        () => history.figures().ticks,
      ),
      counter(
        'pulse_history_ticks_lost_total',
        'Ticks whose samples were lost, because their store could not be written.',
        () => history.figures().lostTicks,
      ),
      counter(
        'pulse_history_changes_total',
        'Changes of records that were sent to the history.',
        () => recorder.figures().changes,
      ),
    ],
    start() {
      if (!isKept) return
      history.start()
      recorder.start()
    },
    lead: () => forecasts.start(),
    async stop() {
      forecasts.stop()
      await recorder.stop()
      await history.stop()
    },
  }
}

function listOf(name: keyof typeof mostSeries, text: string): string[] {
  const list = text.split(',').filter(Boolean)
  if (list.length > 0 && list.length <= mostSeries[name]) return list
  throw new AppError(
    'validation_failed',
    `${name}: Name between one and ${mostSeries[name]}, separated by commas.`,
  )
}
