import type { ReactNode } from 'react'
import { SkeletonTable } from '../../parts/live-page/states.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CHART_HEIGHT } from './chart-scale.ts'

/** Backups that have not come yet: the nodes, the chart, and the table. */
export const backupsSkeleton = (waiting: ReactNode) => (
  <>
    {waiting}
    <SkeletonTable rows={3} />
    <Card className="flex flex-col gap-3 p-3">
      <Skeleton className="h-3 w-40" />
      <div className="flex items-end gap-1" style={{ height: CHART_HEIGHT }}>
        {Array.from({ length: 30 }, (_, day) => (
          <Skeleton key={day} className="h-1.5 flex-1" />
        ))}
      </div>
    </Card>
    <SkeletonTable rows={8} />
  </>
)
