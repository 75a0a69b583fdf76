import type { RecordKind } from '@pulse/contract'
import { fileSystemAlerts } from '@pulse/domain'
import { type KeyboardEvent, useMemo } from 'react'
import type { Span } from '../../lib/times.ts'
import { Queries } from '../../api/queries.tsx'
import { downloadText } from '../../lib/download.ts'
import { useClock, useMoment } from '../../lib/moment.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Crosshair } from '../chart/crosshair.ts'
import { AlertLines } from './alert-lines.tsx'
import { isEmpty, reasonWords, toCharts } from './chart-data.ts'
import { ChartGrid, LoadingCharts } from './chart-grid.tsx'
import { historyOfKind, type KindHistory, ownerOf } from './charts.ts'
import { CompareLegend, ComparePicker } from './compare-picker.tsx'
import { EventLines } from './event-lines.tsx'
import { fileName, toCsv, toJson } from './files.ts'
import { GapLegend } from './gap-legend.tsx'
import { toRows } from './history-rows.ts'
import { useControls } from './history-group.tsx'
import { HistoryTable } from './history-table.tsx'
import { RangeBar } from './range-bar.tsx'
import type { Viewed } from './last-week.ts'
import { fixedSpan, type HistoryChoice, spanUntil, zoomTo } from './range.ts'
import { useAlerts } from './use-alerts.ts'
import { useEvents } from './use-events.ts'
import { useSteady } from './use-steady.ts'
import { useTriggers } from './use-triggers.ts'
import { useViewed } from './use-viewed.ts'

export interface HistoryProps {
  kind: RecordKind
  /** store id of the record */
  id: string
  /** its name, for files */
  name: string
  /** its id in alerts; absent: it has none */
  alertId?: string | undefined
  /** the key of a file system: only alerts about it, of all those of its guest */
  fileSystem?: string | undefined
}

/** The charts of a thing, or nothing for a kind without history. */
export function HistoryView(props: HistoryProps) {
  const history = historyOfKind[props.kind]
  if (!history) return null
  return (
    <Queries>
      <History key={`${props.kind} ${props.id}`} {...props} history={history} />
    </Queries>
  )
}

/** Keys that move between rows outside of the charts. */
const rowKeys = new Set([
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'PageUp',
  'PageDown',
  'Home',
  'End',
])

function History({ kind, id, name, alertId, fileSystem, history }: HistoryProps & { history: KindHistory }) {
  const { choice, setChoice, crosshair } = useControls(`${kind} ${id}`)
  const clock = useClock()
  const series = useViewed({ kind, id, history, choice })
  const { guests, viewed, data, before, isPlaceholderData, error, refetch, weekError } = series
  const reasons = reasonWords(history)
  const zoom = (span: Span | undefined) => setChoice(zoomTo(choice, span, clock()))

  const compare = (others: readonly string[]) => setChoice({ ...choice, others, chosenAt: clock() })

  const download = (form: 'csv' | 'json') => {
    if (!data || !viewed) return
    const text =
      form === 'csv'
        ? toCsv(toRows(viewed.history, viewed.data), reasons)
        : toJson({ kind, id, name }, data, {
            ...(before && { lastWeek: before }),
            ...(guests.length > 0 && { guests }),
          })
    const isFormer = data.series.some((one) => one.id === id && one.isFormer)
    downloadText(
      fileName(isFormer ? `former-${name}` : name, data, form),
      text,
      form === 'csv' ? 'text/csv' : 'application/json',
    )
  }
  const keepKeys = (event: KeyboardEvent) => {
    if (rowKeys.has(event.key)) event.stopPropagation()
    if (event.key !== 'Escape' || !choice.zoom) return
    event.preventDefault()
    event.stopPropagation()
    zoom(undefined)
  }

  return (
    <div
      role="group"
      aria-label={`History of ${name}`}
      onKeyDown={keepKeys}
      className="mt-4 flex flex-col gap-3 border-t border-line pt-3 first:mt-0 first:border-t-0 first:pt-0"
    >
      <RangeBar
        tools={
          kind === 'guests' && <ComparePicker own={id} chosen={choice.others ?? []} onChoose={compare} />
        }
        choice={choice}
        onChoose={setChoice}
        onZoomOut={() => zoom(undefined)}
        onDownload={data && !isPlaceholderData ? download : undefined}
      />
      {error && (
        <Notice
          tone={data ? 'yellow' : 'red'}
          title={data ? 'History could not be refreshed' : 'History could not be loaded'}
          announce
          action={<Button onClick={() => void refetch()}>Retry</Button>}
        >
          {error.message}
        </Notice>
      )}
      {guests.length > 0 && (
        <CompareLegend
          guests={guests}
          onRemove={(one) => compare((choice.others ?? []).filter((other) => other !== one))}
        />
      )}
      {weekError && (
        <p role="status" className="text-xs text-ink-2">
          Last week could not be loaded: {weekError.message}
        </p>
      )}
      {viewed ? (
        <Shown
          {...{ kind, id, name, alertId, fileSystem, viewed, choice, zoom, crosshair, isPlaceholderData }}
        />
      ) : (
        !error && <LoadingCharts titles={history.charts.map(({ title }) => title)} />
      )}
    </div>
  )
}

interface ShownProps extends HistoryProps {
  viewed: Viewed
  choice: HistoryChoice
  zoom: (span: Span | undefined) => void
  crosshair: Crosshair
  /** it is of the former choice */
  isPlaceholderData: boolean
}

function Shown(props: ShownProps) {
  const { kind, id, name, alertId, fileSystem, viewed, choice, zoom, crosshair, isPlaceholderData } = props
  const { history, data } = useSteady(crosshair, { viewed, choice, isPlaceholderData })
  const owner = ownerOf({ kind, id })
  const own = data.series.find((one) => one.id === id)
  const found = useAlerts(alertId, choice)
  const { isCut: areAlertsCut, error } = found
  const happened = useEvents(owner.kind, owner.id, choice)
  const { notLoaded, error: eventsError } = happened
  const [since, until] = [own?.since, own?.until]
  const alerts = useMemo(() => {
    const own = fileSystem === undefined ? undefined : fileSystemAlerts(owner.id, fileSystem)
    return whileIts(own ? found.alerts.filter(({ alert }) => own.has(alert)) : found.alerts, since, until)
  }, [found.alerts, owner.id, fileSystem, since, until])
  const events = useMemo(() => whileIts(happened.events, since, until), [happened.events, since, until])
  const triggers = useTriggers(kind, id)
  const charts = useMemo(() => toCharts(history, data), [history, data])
  const moment = useMoment()
  // on a page of the past it may be the guest of then
  const isFormer = moment === undefined && own?.isFormer
  const { from, to } =
    fixedSpan(choice) ?? (isPlaceholderData ? spanUntil(choice.range, moment ?? choice.chosenAt) : data)
  const span = useMemo(() => ({ from, to }), [from, to])
  if (!isPlaceholderData && isEmpty(charts)) {
    return (
      <p
        role="status"
        className="rounded border border-dashed border-line px-3 py-8 text-center text-xs text-ink-3"
      >
        {fixedSpan(choice)
          ? 'No history of this time.'
          : 'No history yet. The first figures appear within a minute.'}
      </p>
    )
  }
  return (
    <>
      {isFormer && (
        <p role="status" className="text-xs text-ink-2">
          This is the history of the guest that had this VMID before {name}.
        </p>
      )}
      {choice.asTable ? (
        <HistoryTable name={name} span={span} reasons={reasonWords(history)} {...toRows(history, data)} />
      ) : (
        <>
          <ChartGrid
            {...{ charts, span, triggers, alerts, events, crosshair }}
            isZoomed={choice.zoom !== undefined}
            busy={isPlaceholderData}
            onZoom={zoom}
          />
          <GapLegend charts={charts} />
        </>
      )}
      <AlertLines alerts={alerts} isCut={areAlertsCut} span={span} />
      <EventLines events={events} notLoaded={notLoaded} span={span} />
      {eventsError && <p className="text-xs text-ink-3">Events could not be loaded: {eventsError.message}</p>}
      {error && <p className="text-xs text-ink-3">Alerts could not be loaded: {error.message}</p>}
    </>
  )
}

/** Alerts and backups are found by a VMID, which another guest may have had before or since. */
const whileIts = <T extends { at: number } | { from: number }>(
  all: readonly T[],
  since = -Infinity,
  until = Infinity,
): readonly T[] =>
  all.filter((one) => {
    const at = 'at' in one ? one.at : one.from
    return at >= since && at < until
  })
