import type { RecordKind } from '@pulse/contract'
import { lazyPart } from '../../ui/code/lazy-part.tsx'

export interface HistoryChartsProps {
  kind: RecordKind
  /** store id of the record */
  id: string
  /** its name, for files */
  name: string
  /** its id in alerts */
  alertId: string
}

/** The past of a record's figures. Its code loads with the first row that opens. */
export const HistoryCharts = lazyPart<HistoryChartsProps>(
  'History',
  async () => ({ default: (await import('./history-view.tsx')).HistoryView }),
  { fallback: () => <div className="h-80" /> },
)
