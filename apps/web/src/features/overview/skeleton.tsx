import type { ReactNode } from 'react'
import { SkeletonLine, SkeletonTable } from '../../parts/live-page/states.tsx'
import { linesSeen } from '../../parts/node-summary/lines-seen.ts'
import { EstateFigures } from './estate-figures.tsx'

/** The page as it will stand: its figures, nodes, the filters and the guests. */
export const overviewSkeleton = (waiting: ReactNode) => (
  <div className="flex flex-col gap-2">
    <div className="grid *:[grid-area:1/1]">
      <div aria-hidden inert className="invisible">
        <EstateFigures pressed={undefined} onPress={() => {}} />
      </div>
      {waiting}
    </div>
    <SkeletonTable rows={linesSeen()} sortable />
    <SkeletonLine />
    <SkeletonTable rows={12} foot />
  </div>
)
