import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react'
import { useConfigEdits } from '../config-edits.tsx'

/** The cell being edited, at most one per page. */
export interface Editing {
  cell: string | undefined
  /** the last cell whose value was edited, until the edits are saved or discarded */
  last: string | undefined
  start(cell: string): void
  /** the value was changed without editing its text */
  note(cell: string): void
  /** returns whether the cell was still being edited: a cell blurred after Escape saves nothing */
  end(cell: string): boolean
}

const EditingContext = createContext<Editing | undefined>(undefined)

export function EditingProvider({ children }: { children: ReactNode }) {
  const [cell, setCell] = useState<string>()
  const [last, note] = useState<string>()
  const { isDirty } = useConfigEdits()
  if (last !== undefined && last !== cell && !isDirty) note(cell)
  const now = useRef<string>(undefined)
  const editing = useMemo<Editing>(
    () => ({
      cell,
      last,
      note,
      start(wanted) {
        now.current = wanted
        setCell(wanted)
        note(wanted)
      },
      end(ended) {
        if (now.current !== ended) return false
        now.current = undefined
        setCell(undefined)
        return true
      },
    }),
    [cell, last],
  )
  return <EditingContext value={editing}>{children}</EditingContext>
}

export function useEditing(): Editing {
  const editing = useContext(EditingContext)
  if (!editing) throw new Error('EditingProvider is missing')
  return editing
}

/** Identifies a cell by table row and metric. */
export const cellName = (row: string, metric: string) => `${row}\0${metric}`
export const metricOfCell = (cell: string): string => cell.slice(cell.indexOf('\0') + 1)
export const isCellOf = (cell: string | undefined, row: string): cell is string =>
  cell !== undefined && cell.startsWith(`${row}\0`)
