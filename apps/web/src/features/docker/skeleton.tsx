import { type ReactNode, useRef } from 'react'
import { SkeletonTable } from '../../parts/live-page/states.tsx'
import { linesSeen } from '../../parts/node-summary/lines-seen.ts'
import { usePhone } from '../../parts/screen/use-media.ts'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ContainerFilters } from './container-filters.tsx'
import { SummaryLine } from './figures.tsx'
import { hostLength } from './host-window.ts'
import { useDockerView } from './use-docker-view.ts'

export const dockerSkeleton = (notice: ReactNode) => <DockerSkeleton notice={notice} />

/** Placeholder in the shape of the page: figures, hosts beside the containers, filters. */
function DockerSkeleton({ notice }: { notice: ReactNode }) {
  const phone = usePhone()
  const view = useDockerView()
  const search = useRef<HTMLInputElement>(null)
  return (
    <div className="flex flex-col gap-2">
      <div className="grid *:[grid-area:1/1]">
        <div aria-hidden inert className="invisible">
          <SummaryLine view={view} phone={phone} />
        </div>
        {notice}
      </div>
      <div className="flex flex-col gap-2 xl:flex-row xl:items-start xl:gap-3">
        <div className="min-w-0 xl:w-60 xl:shrink-0">
          <Card data-skeleton="hosts" className="overflow-clip">
            {Array.from({ length: phone ? linesSeen('dockerHostLinesSeen') : 3 }, (_, at) => (
              <div
                key={at}
                className={cx(
                  'flex-col justify-center gap-2 px-3',
                  phone ? 'flex' : 'hidden first:flex xl:flex',
                )}
                style={{ height: phone ? hostLength.lines : hostLength.column }}
              >
                <Skeleton className="h-3 w-28" />
                {!phone && <Skeleton className="h-2 w-20" />}
              </div>
            ))}
          </Card>
        </div>
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          {/* inert: there is nothing to filter yet */}
          <div aria-hidden inert className="opacity-60">
            <ContainerFilters view={view} phone={phone} inputRef={search} onLeaveDown={() => {}} />
          </div>
          <SkeletonTable rows={12} foot />
        </div>
      </div>
    </div>
  )
}
