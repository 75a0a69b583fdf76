import { getCharts, getHistorySeries, getStorageCharts, mostSeries, type RecordKind } from '@pulse/contract'
import { sampledFields } from '@pulse/domain'
import path from 'node:path'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { Area } from '../area.ts'
import { route } from '../http/route.ts'
import { counter } from '../metric.ts'
import type { State } from '../state/state.ts'
import type { FaultReport } from '../troubles/faults.ts'
import type { Troubles } from '../troubles/troubles.ts'
import { backTestRoute } from './back-test.ts'
import { type ChartEdges, createCharts, readSeries } from './charts.ts'
import { createHistory } from './history.ts'

export interface HistoryAreaEdges extends Pick<ChartEdges, 'clock'> {
  dataDir: string
  state: State
  /** the externally visible part of the state */
  shown: State
  log: Logger
  troubles: Troubles
  report: FaultReport
}

const trouble = 'history'

/** The past of all figures that the catalogue marks as sampled. */
export function historyArea({ dataDir, state, shown, clock, log, troubles, report }: HistoryAreaEdges): Area {
  let isTroubled = false
  const history = createHistory({
    tables: state.tables,
    clock,
    log,
    file: path.join(dataDir, 'history.db'),
    onFault: (error) => report('history', error),
    onTrouble(text) {
      if (text !== undefined) troubles.begin(trouble, text)
      else if (isTroubled) troubles.end(trouble, 'The metric history is written again.')
      isTroubled = text !== undefined
    },
  })
  const edges = { history, tables: shown.tables, clock }
  const charts = createCharts(edges)
  return {
    name: 'the metric history',
    routes: [
      backTestRoute(edges),
      route(getCharts, ({ query }) => charts.all(query.range)),
      route(getStorageCharts, ({ query }) => charts.storages(query.range)),
      route(getHistorySeries, ({ query }) => {
        const { from, to } = query
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
        return readSeries(edges, { kind, ids, fields, from, to, points: query.points })
      }),
    ],
    metrics: [
      counter(
        'pulse_history_ticks_total',
        'Ticks at which the figures were sampled.',
        () => history.figures().ticks,
      ),
      counter(
        'pulse_history_ticks_lost_total',
        'Ticks whose samples were lost, because history.db could not be written.',
        () => history.figures().lostTicks,
      ),
    ],
    start: history.start,
    stop: history.stop,
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
