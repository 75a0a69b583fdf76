import type { SourceState } from '@pulse/contract'
import type { KindPatch, Records } from '../state/patch.ts'

interface Known {
  lastSeen: number | undefined
  isSilent: boolean
}

/** Which sources have answered since the last patch, and which have fallen silent or come back. */
export class SourceAnswers {
  readonly #known = new Map<string, Known>()

  take(
    patch: KindPatch<SourceState> | undefined,
    sources: Records<SourceState>,
  ): { answered: readonly string[]; turned: readonly string[] } {
    const answered: string[] = []
    const turned: string[] = []
    for (const source of patch?.remove ?? []) this.#known.delete(source)
    for (const source of patch?.put.keys() ?? []) {
      const state = sources.get(source)
      if (!state) continue
      const before = this.#known.get(source)
      const now = { lastSeen: state.lastSeen, isSilent: isSilent(state) }
      this.#known.set(source, now)
      if (before?.isSilent !== now.isSilent) turned.push(source)
      if (now.lastSeen !== undefined && before?.lastSeen !== now.lastSeen && !now.isSilent)
        answered.push(source)
    }
    return { answered, turned }
  }
}

const isSilent = ({ health, staleSince }: SourceState) => health === 'error' || staleSince !== undefined
