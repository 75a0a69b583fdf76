import type { Guest, Node } from '@pulse/contract'
import { type ReactNode, useCallback } from 'react'
import { Queries } from '../../api/queries.tsx'
import { displayName } from '../../lib/display-name.ts'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { guestName } from '../../parts/guests/guest-name.ts'
import { LivePage } from '../../parts/live-page/live-page.tsx'
import { SkeletonLine } from '../../parts/live-page/states.tsx'
import { UntilAnswered } from '../../parts/sources/until-answered.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Missing } from './missing.tsx'
import { type ThingKind, titles } from './thing.ts'
import { useThingTitle } from './use-thing-title.ts'

const nameOf = (live: LiveReader, kind: ThingKind, id: string): string | undefined => {
  const record = live.get(kind, id)
  if (!record) return undefined
  return record.type === 'node' ? displayName(record as Node) : guestName(record as Guest)
}

interface ThingPageProps {
  kind: ThingKind
  /** store id */
  id: string
  children: ReactNode
}

/** The frame of a page about one thing. Without a record it shows what the history has. */
export function ThingPage({ kind, id, children }: ThingPageProps) {
  const name = useLive(
    [kind],
    useCallback((live) => nameOf(live, kind, id), [kind, id]),
  )
  const title = name ?? titles[kind]
  useThingTitle(title)
  return (
    <Queries>
      <LivePage
        title={title}
        hasOwnHeading
        texts={{ loading: `Loading ${titles[kind].toLowerCase()} data` }}
        hasFigures={name !== undefined}
        empty={<NotThere kind={kind} id={id} />}
        skeleton={thingSkeleton}
      >
        <div className="flex flex-col gap-3">{children}</div>
      </LivePage>
    </Queries>
  )
}

/** While its source has not answered yet, the thing may still come. */
function NotThere({ kind, id }: Pick<ThingPageProps, 'kind' | 'id'>) {
  const source = id.split(':')[0]!
  const isAwaited = useLive(
    ['sources'],
    useCallback((live) => live.get('sources', source)?.health === 'unknown', [source]),
  )
  return isAwaited ? <UntilAnswered none={null} /> : <Missing kind={kind} id={id} title={titles[kind]} />
}

const thingSkeleton = (notice: ReactNode) => (
  <>
    <SkeletonLine />
    {notice}
    {[20, 80, 40].map((height) => (
      <Card key={height} className="p-4" style={{ height: `${height / 4}rem` }}>
        <Skeleton className="h-3 w-40" />
      </Card>
    ))}
  </>
)
