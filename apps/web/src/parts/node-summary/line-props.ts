import type { AlertLevels } from '../alert-levels.ts'
import type { SummaryColumn } from './columns.ts'

/** What a line needs beside its record, as a row of the table and as one of a phone. */
export interface SummaryLineProps {
  columns: readonly SummaryColumn[]
  alerts: AlertLevels
  selected: boolean
  /** another line is selected */
  dimmed: boolean
  tabIndex: 0 | -1
}
