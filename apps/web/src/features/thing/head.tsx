import type { ReactNode } from 'react'
import { formatMoment } from '../../lib/format.ts'
import { LiveFigures, LiveNotice } from '../../parts/live-page/live-page.tsx'
import { Uptime } from '../../parts/cells/cells.tsx'
import { useSites } from '../../parts/sources/sites.tsx'
import { Link } from '../../ui/router/link.tsx'

interface ThingHeadProps {
  name: string
  /** pages above this one */
  above: readonly { to: string; text: string }[]
  /** before the name: its state */
  mark: ReactNode
  /** after the name */
  badges: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

/** Name, state and facts that rarely change. */
export function ThingHead({ name, above, mark, badges, actions, children }: ThingHeadProps) {
  return (
    <header className="flex flex-col gap-1.5 px-1">
      {/* the notice has a line that is there without it */}
      <div className="flex min-h-8 flex-wrap items-center gap-x-4">
        <nav aria-label="Breadcrumb" className="text-xs text-ink-3">
          <ol className="flex flex-wrap">
            {above.map(({ to, text }, n) => (
              <li key={to} className="inline-flex min-w-0 items-center">
                {n > 0 && (
                  <span aria-hidden className="px-1.5">
                    /
                  </span>
                )}
                <Link to={to} className="inline-flex min-h-6 items-center hover:text-accent hover:underline">
                  <span className="break-all">{text}</span>
                </Link>
              </li>
            ))}
          </ol>
        </nav>
        <LiveNotice />
      </div>
      <LiveFigures className="flex flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <div className="flex min-w-0 flex-1 basis-64 flex-wrap items-center gap-x-2.5 gap-y-1">
            {mark}
            <h1 className="min-w-0 text-lg leading-7 font-semibold break-words">{name}</h1>
            {badges}
          </div>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
        {children && (
          <dl className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-ink-2 *:flex *:min-w-0 *:gap-1.5">
            {children}
          </dl>
        )}
      </LiveFigures>
    </header>
  )
}

export const HeadFact = ({ term, children }: { term: string; children: ReactNode }) => (
  <div>
    <dt className="text-ink-3">{term}</dt>
    <dd className="min-w-0 break-words text-ink tabular-nums">{children}</dd>
  </div>
)

/** The site of its source, unless it is the main one. */
export function SiteFact({ source }: { source: string }) {
  const site = useSites().get(source)
  return site !== undefined && <HeadFact term="Site">{site}</HeadFact>
}

/** How long it runs, with its start. */
export const UpSince = ({ startedAt, stale }: { startedAt: number; stale: boolean }) => (
  <HeadFact term="Up">
    <Uptime startedAt={startedAt} stale={stale} />
    <span className="text-ink-3">, since {formatMoment(startedAt)}</span>
  </HeadFact>
)
