import { compareNames } from '@pulse/domain'
import type { SourceState, Unreadable } from '@pulse/contract'
import type { LiveReader } from '../../live/store.ts'
import { sourceName } from './unreachable.ts'

/** Something that cannot be read of a source that answers. */
export interface UnreadablePart extends Unreadable {
  /** whose it is; absent where that is said elsewhere */
  name?: string
}

export type Concerns = (source: SourceState, what: string) => boolean

/** Those that a page is about, by source; a source that does not answer at all is told of elsewhere. */
export const selectUnreadable =
  (concerns: Concerns) =>
  (live: LiveReader): readonly UnreadablePart[] =>
    [...live.records('sources').values()]
      .filter(({ health }) => health !== 'error')
      .flatMap((source) => {
        const name = sourceName(source)
        return (source.unreadable ?? [])
          .filter(({ what }) => concerns(source, what))
          .map((one) => ({ ...one, name }))
      })
      .toSorted((a, b) => compareNames(a.name, b.name))
