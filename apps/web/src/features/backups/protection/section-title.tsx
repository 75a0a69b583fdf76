import { formatNumber } from '../../../lib/format.ts'

/** Above a table of the tab. */
export const SectionTitle = ({ id, title, count }: { id: string; title: string; count: number }) => (
  <h2 id={id} className="flex h-9 items-center gap-2 px-1 text-table font-semibold">
    {title}
    <span className="font-normal text-ink-3 tabular-nums">{formatNumber(count)}</span>
  </h2>
)
