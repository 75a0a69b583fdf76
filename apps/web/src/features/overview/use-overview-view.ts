import { useCallback } from 'react'
import { useLive } from '../../live/use-live.ts'
import type { SummaryRowKey } from '../../parts/node-summary/rows.ts'
import { useTableView } from '../../parts/table/use-table-view.ts'
import { useAddressValue } from '../../ui/router/use-address.ts'
import type { EstateFigure } from './estate-figures.tsx'
import { guestTableView } from './filter.ts'

/** Figures that filter beyond the status toggle. */
type Focus = Exclude<EstateFigure, 'running' | 'stopped'>

const focuses: readonly Focus[] = ['nodes', 'unreachable', 'attention']

/** The page's view state, kept in the address. */
export function useOverviewView() {
  const view = useTableView(guestTableView)
  const [wanted, setSelected] = useAddressValue<SummaryRowKey>('node')
  // a deleted node selects nothing
  const selected = useLive(
    ['nodes'],
    useCallback((live) => (wanted && live.get('nodes', wanted.slice(4)) ? wanted : undefined), [wanted]),
  )
  const [focus, setFocus] = useAddressValue<Focus>('show', focuses)
  const { status } = view.chosen
  /** the active figure */
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
    /** one filter at a time: it replaces the status too */
    press(pressed: EstateFigure) {
      const next = pressed === figure ? undefined : pressed
      const isStatus = next === 'running' || next === 'stopped'
      setFocus(isStatus ? undefined : next)
      view.choose('status', isStatus ? next : 'all')
    },
    choose: ((name, value) => {
      // unreachable guests never count as running
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
