import type { ReactNode } from 'react'
import { LiveFigures } from '../../parts/live-page/live-page.tsx'
import { AddHost } from './empty.tsx'
import { Summary } from './figures.tsx'
import type { DockerView } from './use-docker-view.ts'

interface SummaryLineProps {
  view: Pick<DockerView, 'search' | 'setSearch'>
  phone: boolean
  children?: ReactNode
}

/** How it all is, and the way to one host more. */
export const SummaryLine = ({ view, phone, children }: SummaryLineProps) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
    <LiveFigures className="max-sm:w-full">
      <Summary search={view.search} onSearch={view.setSearch}>
        {phone && <AddHost className="justify-self-end" />}
      </Summary>
    </LiveFigures>
    {children}
    {!phone && <AddHost className="ml-auto" />}
  </div>
)
