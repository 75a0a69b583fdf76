import { ArrowDown, ArrowUp, RotateCcw } from 'lucide-react'
import type { RefObject } from 'react'
import { SearchBox } from '../../parts/search/search-box.tsx'
import { SearchTips } from '../../parts/search/search-tips.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { SegmentedToggle } from '../../ui/segmented-toggle.tsx'
import { type GuestColumnId, guestColumns } from './columns.ts'
import { searchTips } from './search-tips.ts'
import type { OverviewView } from './use-overview-view.ts'

interface FilterBarProps {
  view: OverviewView
  searchRef: RefObject<HTMLInputElement | null>
  /** without column heads the order is chosen here */
  phone: boolean
}

const types = [
  { value: 'all', label: 'All' },
  { value: 'vm', label: 'VMs' },
  { value: 'lxc', label: 'LXCs' },
] as const
const statuses = [
  { value: 'all', label: 'All' },
  { value: 'running', label: 'Running' },
  { value: 'stopped', label: 'Stopped' },
] as const
const layouts = [
  { value: 'grouped', label: 'Grouped' },
  { value: 'flat', label: 'List' },
] as const

export function FilterBar({ view, searchRef, phone }: FilterBarProps) {
  return (
    <Card aria-label="Filters" id="overview-filters" className="flex flex-wrap items-center gap-2 p-2">
      <div className="flex w-full min-w-60 flex-1 basis-72">
        <SearchBox
          label="Search guests"
          placeholder="Search or filter, e.g. cpu>80"
          value={view.search}
          onChange={view.setSearch}
          history="dashboard"
          tips={<SearchTips {...searchTips} />}
          inputRef={searchRef}
        />
      </div>
      <SegmentedToggle
        label="Type"
        value={view.type}
        options={types}
        onChange={view.setType}
        onReset={() => view.setType('all')}
      />
      <SegmentedToggle
        label="Status"
        value={view.status}
        options={statuses}
        onChange={view.setStatus}
        onReset={() => view.setStatus('all')}
      />
      <SegmentedToggle
        label="Layout"
        value={view.grouping}
        options={layouts}
        onChange={view.setGrouping}
        onReset={() => view.setGrouping('grouped')}
      />
      {phone && <SortSelect view={view} />}
      <Button variant="ghost" className="ml-auto" onClick={view.reset}>
        <RotateCcw aria-hidden size={13} />
        Reset
      </Button>
    </Card>
  )
}

function SortSelect({ view: { sort, setSort, sortBy } }: { view: OverviewView }) {
  const column = guestColumns.find(({ id }) => id === sort.key)!
  const Arrow = sort.direction === 'asc' ? ArrowUp : ArrowDown
  return (
    <span className="inline-flex min-w-24 flex-1 items-center">
      <select
        aria-label="Sort by"
        value={sort.key}
        onChange={(event) => {
          const { id, first } = guestColumns.find((one) => one.id === (event.target.value as GuestColumnId))!
          setSort({ key: id, direction: first })
        }}
        className="h-8 w-0 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-2 text-table text-ink"
      >
        {guestColumns.map(({ id, header }) => (
          <option key={id} value={id}>
            {header}
          </option>
        ))}
      </select>
      <IconButton
        label={
          sort.direction === 'asc' ? 'Ascending, change to descending' : 'Descending, change to ascending'
        }
        onClick={() => sortBy(column)}
      >
        <Arrow aria-hidden size={14} />
      </IconButton>
    </span>
  )
}
