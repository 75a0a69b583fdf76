import type { ReactNode } from 'react'
import { SkeletonTable } from '../../parts/live-page/states.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Hosts at the side of their containers, as they will stand. */
export const dockerSkeleton = (waiting: ReactNode) => (
  <>
    {waiting}
    <div className="flex flex-col gap-2 xl:flex-row xl:items-start xl:gap-3">
      <Card className="xl:w-60 xl:shrink-0">
        {Array.from({ length: 3 }, (_, at) => (
          <div key={at} className="hidden h-12 flex-col justify-center gap-2 px-3 first:flex xl:flex">
            <Skeleton className="h-3 w-28" />
            <Skeleton className="h-2 w-20" />
          </div>
        ))}
      </Card>
      <div className="min-w-0 flex-1">
        <SkeletonTable rows={12} />
      </div>
    </div>
  </>
)
