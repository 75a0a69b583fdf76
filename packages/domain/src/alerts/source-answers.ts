import type { SourceState } from '@pulse/contract'
import type { KindPatch, Records } from '../state/patch.ts'

interface Known {
  toldAt: number | undefined
  isSilent: boolean
}

/** Which sources have answered since the last patch, and which have fallen silent or come back. */
export class SourceAnswers {
  readonly #known = new Map<string, Known>()

  take(
    patch: KindPatch<SourceState> | undefined,
    sources: Records<SourceState>,
  ): { answered: ReadonlySet<string>; turned: ReadonlySet<string> } {
    const answered = new Set<string>()
    const turned = new Set<string>()
    for (const source of patch?.remove ?? []) this.#known.delete(source)
    for (const source of patch?.put.keys() ?? []) {
      const state = sources.get(source)
      if (!state) continue
      const before = this.#known.get(source)
      // What is answered in between is about something else, and no second look.
      const now = { toldAt: state.listedAt ?? state.lastSeen, isSilent: isSilent(state) }
      this.#known.set(source, now)
      if (before?.isSilent !== now.isSilent) turned.add(source)
      if (now.toldAt !== undefined && before?.toldAt !== now.toldAt && !now.isSilent) answered.add(source)
    }
    return { answered, turned }
  }
}

const isSilent = ({ health, staleSince }: SourceState) => health === 'error' || staleSince !== undefined
