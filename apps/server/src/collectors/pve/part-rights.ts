import { isEqual } from '@pulse/domain'
import { Permissions } from '../proxmox/schema.ts'
import { SourceError, toSourceError } from '../source-error.ts'
import { RIGHTS, type ClusterContext } from './context.ts'
import type { Part } from './part.ts'
import { hiddenLists, missingForLists } from '../proxmox/rights.ts'
import { readOne } from './schema.ts'

const minute = 60_000
/** Shorter than the minute after which a missing storage is removed, so that the answer comes first. */
const betweenLooksMs = 45_000
const firstAfterMs = 15_000
const PATH = '/access/permissions'

/** Missing rights of the account for the enabled parts. */
export const rights: Part = {
  name: RIGHTS,
  calls: { perMinute: 0.2 },
  start(context) {
    const { clock, gateway, health, visibility } = context
    let known: Permissions | undefined
    let askedAt = context.startAt + firstAfterMs - betweenLooksMs
    let isLacking = false

    function isComplete(answer: Permissions) {
      const granted = visibility.know(answer)
      const hidden = hiddenLists(granted, context.rights())
      health.filtered(hidden)
      const missing = missingForLists(granted, context.rights())
      isLacking = hidden.length > 0 || missing.length > 0
      if (missing.length > 0) health.failed(RIGHTS, new SourceError('forbidden', missing.join('; ')))
      const isNews = known !== undefined && !isEqual(known, granted)
      known = granted
      if (isNews) context.wake('allowed')
      context.publish(0)
      return missing.length === 0
    }

    return {
      loops: [
        {
          name: RIGHTS,
          intervalMs() {
            if (visibility.isAwaiting) return betweenLooksMs
            return isLacking || health.errorOf(RIGHTS) ? 5 * minute : 60 * minute
          },
          firstAfterMs,
          wakes: ['back', 'rights'],
          hold: () => Math.max(0, askedAt + betweenLooksMs - clock.monotonic()),
          async run(signal) {
            askedAt = clock.monotonic()
            const { data, at } = await gateway.cluster(PATH, { signal })
            const all = readOne(Permissions, data, PATH)
            await askByName(context, visibility.doubtful(all), signal)
            return isComplete(all) ? at : undefined
          },
          failed: () => 5 * minute, // without it the lists still show what they can
        },
      ],
      // A missing storage was removed or is hidden. The rights show which.
      listed({ storages, at }) {
        const names = storages.map(({ storage }) => storage)
        if (visibility.list(names, at)) context.wake('rights')
      },
    }
  },
}

/**
 * The answer for all paths omits a path without any rights. Queried by name, that path has an empty answer. A
 * failure here waits for the next check, because it does not contradict the answer for all paths.
 */
async function askByName(
  { gateway, budget, visibility }: ClusterContext,
  paths: readonly string[],
  signal: AbortSignal,
) {
  for (const path of paths) {
    if (budget.source.take(RIGHTS) > 0) break
    try {
      const { data } = await gateway.cluster(`${PATH}?path=${encodeURIComponent(path)}`, { signal })
      visibility.answered(path, readOne(Permissions, data, PATH)[path] ?? {})
    } catch (cause) {
      if (signal.aborted) throw cause
      if (toSourceError(cause).isPathFault) break
    }
  }
}
