import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react'

/** Which cell of the page is edited: one at most. */
export interface Editing {
  cell: string | undefined
  start(cell: string): void
  /** whether it was edited until now: a cell that is left because it was cancelled saves nothing */
  end(cell: string): boolean
}

const EditingContext = createContext<Editing | undefined>(undefined)

export function EditingProvider({ children }: { children: ReactNode }) {
  const [cell, setCell] = useState<string>()
  const now = useRef<string>(undefined)
  const editing = useMemo<Editing>(
    () => ({
      cell,
      start(wanted) {
        now.current = wanted
        setCell(wanted)
      },
      end(ended) {
        if (now.current !== ended) return false
        now.current = undefined
        setCell(undefined)
        return true
      },
    }),
    [cell],
  )
  return <EditingContext value={editing}>{children}</EditingContext>
}

export function useEditing(): Editing {
  const editing = useContext(EditingContext)
  if (!editing) throw new Error('EditingProvider is missing')
  return editing
}

/** The name of a cell: the row of a table, and the metric. */
export const cellName = (row: string, metric: string) => `${row}\0${metric}`
export const isCellOf = (cell: string | undefined, row: string): cell is string =>
  cell !== undefined && cell.startsWith(`${row}\0`)
