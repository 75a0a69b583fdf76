import type { SourceState } from '@pulse/contract'
import { isEqual, type StatePatch } from '@pulse/domain'

/** Every answer of a guest changes the time of its source. No page needs that time at once. */
export const answerTimesMs = 2_000

const withoutTimes = ({ lastSeen: _, listedAt: _listed, ...rest }: SourceState) => rest

/** Returns a predicate for patches in their order: whether a patch only changes the times of answers. */
export function createAnswerTimes(): (patch: StatePatch) => boolean {
  const known = new Map<string, ReturnType<typeof withoutTimes>>()
  return ({ sources, ...others }) => {
    let isAll = sources !== undefined && sources.remove.size === 0 && Object.keys(others).length === 0
    for (const id of sources?.remove ?? []) known.delete(id)
    for (const [id, source] of sources?.put ?? []) {
      const rest = withoutTimes(source)
      if (!isEqual(known.get(id), rest)) isAll = false
      known.set(id, rest)
    }
    return isAll
  }
}
