import { RotateCcw } from 'lucide-react'
import { useRef } from 'react'
import { PageKeys } from '../../../parts/keys/page-keys.tsx'
import type { KeyHint } from '../../../parts/keys/table-keys.ts'
import { SearchBox } from '../../../parts/search/search-box.tsx'
import { SiteTips } from '../../../parts/search/site-tips.tsx'
import { Button } from '../../../ui/button.tsx'
import { SegmentedToggle } from '../../../ui/segmented-toggle.tsx'
import { Select } from '../../../ui/select.tsx'
import type { AlertListState } from './list-state.ts'

const levels = [
  { value: 'all', label: 'All' },
  { value: 'critical', label: 'Critical' },
  { value: 'warning', label: 'Warning' },
] as const

const groupings = [
  { value: 'none', label: 'No groups' },
  { value: 'cause', label: 'By cause' },
  { value: 'node', label: 'By node' },
] as const

interface ListFiltersProps {
  list: AlertListState
  shown: boolean
  /** moves the focus to the rows */
  onLeaveDown: () => void
  /** the search shortcut was pressed */
  onWanted: () => void
}

/** Filters and grouping of the list. */
export function ListFilters({ list, shown, onLeaveDown, onWanted }: ListFiltersProps) {
  const { filter, change, reset, choices, grouping, setGrouping } = list
  const input = useRef<HTMLInputElement>(null)
  const isDefault = !list.isFiltered && grouping === 'none'
  return (
    <>
      <PageKeys
        keys={alertListKeys}
        focusSearch={() => {
          onWanted()
          input.current?.focus()
        }}
        onEscape={() => {
          reset()
          list.selectNone()
        }}
      />
      <div
        role="group"
        aria-label="Filters"
        hidden={!shown}
        className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 [&[hidden]]:hidden"
      >
        <div className="flex min-w-0 flex-1 basis-56">
          <SearchBox
            label="Search active alerts"
            placeholder="Search by resource, message, type or node"
            value={filter.search}
            onChange={(search) => change({ search })}
            history="alerts"
            inputRef={input}
            onLeaveDown={onLeaveDown}
            tips={<SiteTips intro="Type any part of a resource, message, type or node." things="alerts" />}
          />
        </div>
        <SegmentedToggle
          label="Severity"
          value={filter.level}
          options={levels}
          onChange={(level) => change({ level })}
          onReset={() => change({ level: 'all' })}
        />
        <Select
          label="Kind"
          hideLabel
          value={filter.kind}
          options={optionsOf('All kinds', choices.kinds, filter.kind)}
          onChange={(kind) => change({ kind })}
        />
        <Select
          label="Node"
          hideLabel
          value={filter.node}
          options={optionsOf('All nodes', choices.nodes, filter.node)}
          onChange={(node) => change({ node })}
        />
        <Select
          label="Groups"
          hideLabel
          value={grouping}
          options={groupings}
          onChange={(chosen) => setGrouping(chosen)}
        />
        <Button
          variant="ghost"
          disabled={isDefault}
          onClick={() => {
            reset()
            setGrouping(undefined)
          }}
        >
          <RotateCcw aria-hidden size={13} />
          Reset
        </Button>
      </div>
    </>
  )
}

/** A selected option stays in the list after its last alert resolves. */
function optionsOf(all: string, values: readonly string[], chosen: string) {
  const missing = chosen !== 'all' && !values.includes(chosen) ? [chosen] : []
  return [{ value: 'all', label: all }, ...[...values, ...missing].map((value) => ({ value, label: value }))]
}

const alertListKeys: readonly KeyHint[] = [
  { keys: ['/', 'any letter'], does: 'Search' },
  { keys: ['↓'], does: 'From the search to the alerts' },
  { keys: ['↑', '↓'], does: 'From alert to alert' },
  { keys: ['Enter'], does: 'Why this alert?' },
  { keys: ['Tab'], does: 'To the links and buttons of an alert, and on' },
  { keys: ['Esc'], does: 'Reset the search, the filters and the selection' },
  { keys: ['?'], does: 'Show this help' },
]
