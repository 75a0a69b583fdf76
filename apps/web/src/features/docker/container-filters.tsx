import type { RefObject } from 'react'
import { DensityToggle } from '../../parts/screen/density.tsx'
import { FilterBar } from '../../parts/filter-bar/filter-bar.tsx'
import { TrendsToggle } from '../../parts/trends/trends.tsx'
import { containerColumns } from './columns.tsx'
import { containerSearchTips, containerToggles } from './filter.ts'
import type { DockerView } from './use-docker-view.ts'

interface ContainerFiltersProps {
  view: DockerView
  phone: boolean
  /** search terms that cannot match anything */
  problem?: string | undefined
  inputRef: RefObject<HTMLInputElement | null>
  onLeaveDown: () => void
}

export const ContainerFilters = (props: ContainerFiltersProps) => (
  <div className="flex items-center gap-2">
    <FilterBar
      id="container-filters"
      view={props.view}
      toggles={containerToggles}
      columns={containerColumns}
      withSort={props.phone}
      search={{
        label: 'Search containers',
        placeholder: props.phone ? 'Search containers' : 'Search containers, e.g. host:dock1 nginx',
        history: 'docker',
        tips: containerSearchTips,
        inputRef: props.inputRef,
        onLeaveDown: props.onLeaveDown,
        problem: props.problem,
        beside: props.phone && <TrendsToggle />,
      }}
    />
    {!props.phone && <TrendsToggle />}
    {!props.phone && <DensityToggle />}
  </div>
)
