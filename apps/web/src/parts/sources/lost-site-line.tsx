import { MapPinOff } from 'lucide-react'
import { formatSpan } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import { TICK_MS } from '../cells/cells.tsx'
import type { LostSite } from './sites.tsx'

export default function LostSiteLine({ site, since }: LostSite) {
  return (
    <div className="lost-site flex min-h-8 min-w-0 flex-1 basis-full items-center gap-2 rounded-md border-l-4 border-orange-fill bg-orange-soft px-2.5 py-1 text-table sm:basis-[26rem] sm:py-0">
      <MapPinOff aria-hidden size={14} className="shrink-0 text-orange" />
      <span className="line-clamp-4 text-xs font-medium wrap-anywhere text-orange sm:line-clamp-1 sm:text-table">
        <span role="status">{`site ${site}: no word`}</span>
        <Lasts since={since} />
      </span>
    </div>
  )
}

/** Hidden from screen readers, which would announce it every minute. */
const Lasts = ({ since }: Pick<LostSite, 'since'>) =>
  ` for ${useNow(TICK_MS, (now) => formatSpan(Math.max(1, (now - since) / 1000)))}`
