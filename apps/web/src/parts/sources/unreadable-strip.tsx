import { isEqual } from '@pulse/domain'
import { useMemo } from 'react'
import { useLive } from '../../live/use-live.ts'
import { UnreadableList } from './unreadable-list.tsx'
import { type Concerns, selectUnreadable } from './unreadable.ts'

/** Above the figures of a page: what of them is missing or old although its source answers. */
export function UnreadableStrip({ concerns }: { concerns: Concerns }) {
  const select = useMemo(() => selectUnreadable(concerns), [concerns])
  const parts = useLive(['sources'], select, isEqual)
  return <UnreadableList parts={parts} className="rounded-md" />
}
