import type { SourceState } from '@pulse/contract'
import type { KindPatch, Records } from '../state/patch.ts'

interface Known {
  reportedAt: number | undefined
  isUnreachable: boolean
  isSiteLost: boolean
}

/**
 * Tracks which sources answered since the last patch, and which became unreachable or came back, alone or with
 * their site.
 */
export class SourceAnswers {
  readonly #known = new Map<string, Known>()

  take(
    patch: KindPatch<SourceState> | undefined,
    sources: Records<SourceState>,
  ): { answered: ReadonlySet<string>; turned: ReadonlySet<string>; returned: ReadonlySet<string> } {
    const answered = new Set<string>()
    const turned = new Set<string>()
    /** with their site */
    const returned = new Set<string>()
    for (const source of patch?.remove ?? []) this.#known.delete(source)
    for (const source of patch?.put.keys() ?? []) {
      const state = sources.get(source)
      if (!state) continue
      const before = this.#known.get(source)
      // Answers to other calls in between are not further checks.
      const now = {
        reportedAt: state.listedAt ?? state.lastSeen,
        isUnreachable: isUnreachable(state),
        isSiteLost: state.siteUnreachableSince !== undefined,
      }
      this.#known.set(source, now)
      const isSiteTurn = (before?.isSiteLost ?? false) !== now.isSiteLost
      if (before?.isUnreachable !== now.isUnreachable || isSiteTurn) turned.add(source)
      if (isSiteTurn && !now.isSiteLost) returned.add(source)
      if (now.reportedAt !== undefined && before?.reportedAt !== now.reportedAt && !now.isUnreachable)
        answered.add(source)
    }
    return { answered, turned, returned }
  }
}

const isUnreachable = ({ health, staleSince }: SourceState) => health === 'error' || staleSince !== undefined
