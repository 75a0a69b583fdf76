import { RotateCcw } from 'lucide-react'
import type { RefObject } from 'react'
import { PhoneSort } from '../../parts/grid/phone-sort.tsx'
import { SearchBox } from '../../parts/search/search-box.tsx'
import { SearchTips } from '../../parts/search/search-tips.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { SegmentedToggle } from '../../ui/segmented-toggle.tsx'
import { guestColumns } from './columns.ts'
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
      {phone && (
        <PhoneSort
          label="Sort by"
          columns={guestColumns}
          sort={view.sort}
          onChange={(sort) => sort && view.setSort(sort)}
          className="min-w-24 flex-1"
        />
      )}
      <Button variant="ghost" className="ml-auto" onClick={view.reset}>
        <RotateCcw aria-hidden size={13} />
        Reset
      </Button>
    </Card>
  )
}
