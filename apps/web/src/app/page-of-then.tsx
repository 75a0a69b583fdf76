import { type CSSProperties, Fragment, type ReactNode, useMemo, useState } from 'react'
import { ApiProvider, useApi } from '../api/api.tsx'
import { QueryRoot } from '../api/query-root.tsx'
import { readOnlyApi } from '../api/read-only.ts'
import { MomentProvider, PAST_MARK_HEIGHT } from '../lib/moment.tsx'
import { rem } from '../lib/text-scale.ts'
import { LiveProvider, useLiveContext } from '../live/live.tsx'
import { momentIn } from '../parts/time-machine/address.ts'
import type { PastPage } from '../parts/time-machine/past.tsx'
import { useRouterView } from '../ui/router/use-router.ts'
import { useRouteTable } from './navigation.tsx'
import { hasPast } from './routes.ts'
import { Initializing } from './screens.tsx'

/** The moment in the address of the visible page; undefined: now. */
export function useAskedMoment(): { at: number | undefined; isPossible: boolean } {
  const table = useRouteTable()
  const { path, search } = useRouterView(({ shown, location }) => shown?.location ?? location)
  const isPossible = hasPast(path, table)
  return { at: isPossible ? momentIn(search) : undefined, isPossible }
}

interface PageOfThenProps {
  isPast: boolean
  /** undefined while its code loads */
  past: PastPage | undefined
  children: ReactNode
}

/**
 * Gives the page the state, the clock and the API of now or of a moment of the past. The page of now stays until
 * the first moment is loaded.
 */
export function PageOfThen({ isPast, past, children }: PageOfThenProps) {
  const now = { live: useLiveContext(), api: useApi() }
  const [wasNow, setWasNow] = useState(!isPast)
  if (!isPast && !wasNow) setWasNow(true)
  const isThen = isPast && past?.moment !== undefined
  // a dialog of now may stay open over the page, which is inert
  const refusing = useMemo(() => readOnlyApi(now.api), [now.api])
  const { live, api } = isThen ? past : isPast ? { live: now.live, api: refusing } : now
  const covered = isPast ? ({ '--covered': rem(PAST_MARK_HEIGHT) } as CSSProperties) : undefined
  if (isPast && !isThen && !wasNow) return past?.hasFailed ? null : <Initializing />
  const isGrey = isPast && (!isThen || past.isOutdated)
  return (
    <div
      style={covered}
      className={isGrey ? 'opacity-50 grayscale' : undefined}
      aria-busy={isGrey || undefined}
      // nothing of now can be changed below the mark of the past
      inert={isPast && !isThen}
    >
      <MomentProvider moment={isThen ? past.moment : undefined}>
        <ApiProvider api={api}>
          <LiveProvider live={live}>
            {/* no list or chart mixes records of now and then */}
            <Fragment key={isThen ? 'then' : 'now'}>
              <Answers isThen={isThen}>{children}</Answers>
            </Fragment>
          </LiveProvider>
        </ApiProvider>
      </MomentProvider>
    </div>
  )
}

/** Answers of now and of then are stored apart. */
const Answers = ({ isThen, children }: { isThen: boolean; children: ReactNode }) =>
  isThen ? <QueryRoot>{children}</QueryRoot> : children
