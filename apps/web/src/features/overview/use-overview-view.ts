import { useCallback } from 'react'
import { useLive } from '../../live/use-live.ts'
import type { SummaryRowKey } from '../../parts/node-summary/rows.ts'
import { useTableView } from '../../parts/table/use-table-view.ts'
import { useAddressValue } from '../../ui/router/use-address.ts'
import type { EstateFigure } from './estate-figures.tsx'
import { guestTableView } from './filter.ts'

/** What a figure of the summary leaves, beyond what the status toggle can. */
type Focus = Exclude<EstateFigure, 'running' | 'stopped'>

const focuses: readonly Focus[] = ['nodes', 'unreachable', 'attention']

/** What the page shows and how. All of it stands in the address. */
export function useOverviewView() {
  const view = useTableView(guestTableView)
  const [wanted, setSelected] = useAddressValue<SummaryRowKey>('node')
  // a node that is gone selects nothing any more
  const selected = useLive(
    ['nodes'],
    useCallback((live) => (wanted && live.get('nodes', wanted.slice(4)) ? wanted : undefined), [wanted]),
  )
  const [focus, setFocus] = useAddressValue<Focus>('show', focuses)
  const { status } = view.chosen
  /** the pressed one */
  const figure: EstateFigure | undefined = focus ?? (status === 'all' ? undefined : status)

  return {
    ...view,
    selected,
    select(node: SummaryRowKey | undefined) {
      setSelected(node)
      if (node !== undefined) view.showFilters(true)
    },
    focus,
    figure,
    /** one figure at a time: it takes the place of the status too */
    press(pressed: EstateFigure) {
      const next = pressed === figure ? undefined : pressed
      const isStatus = next === 'running' || next === 'stopped'
      setFocus(isStatus ? undefined : next)
      view.choose('status', isStatus ? next : 'all')
    },
    choose: ((name, value) => {
      // what is unreachable never counts as running
      if (name === 'status' && focus === 'unreachable') setFocus(undefined)
      view.choose(name, value)
    }) as typeof view.choose,
    showAll: () => setFocus(undefined),
    showGuests: () => focus === 'nodes' && setFocus(undefined),
    filters: view.filters + Number(selected !== undefined) + Number(focus !== undefined),
    isDefault: view.isDefault && selected === undefined && focus === undefined,
    reset() {
      view.reset()
      setSelected(undefined)
      setFocus(undefined)
    },
  }
}

export type OverviewView = ReturnType<typeof useOverviewView>
