import { isEqual } from '@pulse/domain'
import { ServerOff } from 'lucide-react'
import { formatRelative } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import { useLive } from '../../live/use-live.ts'
import { firstLines, tip } from '../../ui/tooltip.tsx'
import { TICK_MS } from '../cells/cells.tsx'
import { selectUnreachableHosts, selectUnreachableSources } from './unreachable.ts'

/** The contents of the strip: polled sources or container hosts. */
export type UnreachableKind = keyof typeof kindTexts

const kindTexts = {
  sources: {
    select: selectUnreachableSources,
    symptom: 'does not answer',
    missing: 'no answer',
    many: 'sources bring',
    // a container host that does not report has no error
    hasReason: true,
  },
  hosts: {
    select: selectUnreachableHosts,
    symptom: 'does not report',
    missing: 'no report',
    many: 'hosts bring',
    hasReason: false,
  },
} as const

const kinds = ['sources', 'dockerHosts'] as const

/** One prominent line about all sources without new data. Their figures are grey. */
export function UnreachableStrip({ of }: { of: UnreachableKind }) {
  const { select, symptom, missing, many, hasReason } = kindTexts[of]
  const sources = useLive(kinds, select, isEqual)
  const [first] = sources
  if (!first) return null
  const reasons = sources.map(({ name, error }) => error ?? `${name}: ${missing}`)
  return (
    <div
      className="unreachable-strip flex min-h-8 min-w-0 flex-1 basis-full items-center gap-2 rounded-md border-l-4 border-red-fill bg-red-soft px-2.5 py-1 text-table sm:basis-[26rem] sm:py-0"
      {...tip(firstLines(reasons).join('\n'), 420)}
    >
      <ServerOff aria-hidden size={14} className="shrink-0 text-red" />
      <span className="flex min-w-0 flex-col text-xs sm:flex-row sm:gap-2 sm:text-table">
        <span className="line-clamp-4 font-medium wrap-anywhere text-red sm:block sm:max-w-full sm:shrink-0 sm:truncate">
          <span role="status">
            {sources.length === 1
              ? `${first.untrusted ? `The certificate of ${first.name} is not trusted` : `${first.name} ${first.refused ? 'refused access' : symptom}`}.`
              : `${sources.length} ${many} nothing new: ${sources.map(({ name }) => name).join(', ')}.`}
          </span>
          {sources.length === 1 && first.since !== undefined && <Age since={first.since} />}
        </span>
        {hasReason && (
          <span className="line-clamp-3 wrap-anywhere text-ink-2 sm:line-clamp-none sm:min-w-16 sm:flex-1 sm:truncate">
            {reasons[0]}
          </span>
        )}
      </span>
    </div>
  )
}

/** Hidden from screen readers, which would announce it every minute. */
function Age({ since }: { since: number }) {
  const age = useNow(TICK_MS, (now) => formatRelative(since, now))
  return ` Its figures are from ${age}.`
}
