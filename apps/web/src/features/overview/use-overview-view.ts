import { useState } from 'react'
import type { SummaryRowKey } from '../../parts/node-summary/rows.ts'
import { useTableView } from '../../parts/table/use-table-view.ts'
import { guestTableView } from './filter.ts'

/** What the page shows and how; the selected node is forgotten when it is left. */
export function useOverviewView() {
  const view = useTableView(guestTableView)
  const [selected, setSelected] = useState<SummaryRowKey>()
  return {
    ...view,
    selected,
    select(node: SummaryRowKey | undefined) {
      setSelected(node)
      if (node !== undefined) view.showFilters(true)
    },
    filters: view.filters + Number(selected !== undefined),
    isDefault: view.isDefault && selected === undefined,
    reset() {
      view.reset()
      setSelected(undefined)
    },
  }
}

export type OverviewView = ReturnType<typeof useOverviewView>
