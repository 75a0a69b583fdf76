import type { ReactNode } from 'react'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const panels = [7, 5, 7, 11]

/** A gateway that has not come yet: the head of its card, and its panels. */
export const gatewaySkeleton = (waiting: ReactNode) => (
  <>
    {waiting}
    <Card>
      <div className="flex h-10 items-center gap-3 border-b border-line px-4">
        <Skeleton className="h-3 w-32" />
        <Skeleton className="h-3 w-16" />
      </div>
      <div className="grid gap-x-8 gap-y-3 px-4 pt-1.5 pb-3 md:grid-cols-2 xl:grid-cols-4">
        {panels.map((lines, at) => (
          <div key={at}>
            {Array.from({ length: lines }, (_, line) => (
              <div key={line} className="flex h-7 items-center justify-between gap-8">
                <Skeleton className="h-2 w-28" />
                <Skeleton className="h-2 w-10" />
              </div>
            ))}
          </div>
        ))}
      </div>
    </Card>
  </>
)
