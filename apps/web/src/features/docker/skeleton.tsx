import type { ReactNode } from 'react'
import { SkeletonLine, SkeletonTable } from '../../parts/live-page/states.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ITEM_HEIGHT } from './host-window.ts'

/** The page as it will stand: its figures, hosts at the side of their containers, and the filters above those. */
export const dockerSkeleton = (waiting: ReactNode) => (
  <div className="flex flex-col gap-2">
    {waiting}
    <div className="flex flex-col gap-2 xl:flex-row xl:items-start xl:gap-3">
      <div className="min-w-0 xl:w-60 xl:shrink-0">
        <Card data-skeleton="hosts" className="overflow-clip">
          {Array.from({ length: 3 }, (_, at) => (
            <div
              key={at}
              className="hidden flex-col justify-center gap-2 px-3 first:flex xl:flex"
              style={{ height: ITEM_HEIGHT }}
            >
              <Skeleton className="h-3 w-28" />
              <Skeleton className="h-2 w-20" />
            </div>
          ))}
        </Card>
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <SkeletonLine />
        <SkeletonTable rows={12} foot />
      </div>
    </div>
  </div>
)
