import { lazyPart } from '../../ui/code/lazy-part.tsx'
import type { HistoryProps } from './history-view.tsx'

/** The past of a record's figures. Its code loads with the first row that opens. */
export const HistoryCharts = lazyPart<HistoryProps>(
  'History',
  async () => ({ default: (await import('./history-view.tsx')).HistoryView }),
  // as high as four charts that load, with the choice of times above them
  { fallback: () => <div className="h-224 sm:h-98" /> },
)
