import { isEqual } from '@pulse/domain'
import { Permissions } from '../proxmox/schema.ts'
import { SourceError, toSourceError } from '../source-error.ts'
import type { Desk } from './desk.ts'
import { RIGHTS } from './health.ts'
import type { Part } from './part.ts'
import { hiddenLists, missingForLists } from './rights.ts'
import { readOne } from './schema.ts'

const minute = 60_000
/** Less than the minute after which what has left a list is let go, so that the answer comes before. */
const betweenLooksMs = 45_000
const firstAfterMs = 15_000
const PATH = '/access/permissions'

/** What the account may not see, of what the enabled parts ask for. */
export const rights: Part = {
  name: RIGHTS,
  calls: { cluster: 0.2 },
  start(desk) {
    const { clock, gateway, health, sight } = desk
    let known: Permissions | undefined
    let askedAt = desk.startAt + firstAfterMs - betweenLooksMs
    let isLacking = false

    function told(answer: Permissions) {
      const granted = sight.know(answer)
      const hidden = hiddenLists(granted, desk.rights())
      health.filtered(hidden)
      const missing = missingForLists(granted, desk.rights())
      isLacking = hidden.length > 0 || missing.length > 0
      if (missing.length > 0) health.failed(RIGHTS, new SourceError('forbidden', missing.join('; ')))
      const isNews = known !== undefined && !isEqual(known, granted)
      known = granted
      if (isNews) desk.wake('allowed')
      desk.publish(0)
      return missing.length === 0
    }

    return {
      loops: [
        {
          name: RIGHTS,
          everyMs() {
            if (sight.isAwaiting) return betweenLooksMs
            return isLacking || health.errorOf(RIGHTS) ? 5 * minute : 60 * minute
          },
          firstAfterMs,
          wakes: ['back', 'rights'],
          hold: () => Math.max(0, askedAt + betweenLooksMs - clock.monotonic()),
          async run(signal) {
            askedAt = clock.monotonic()
            const { data, at } = await gateway.cluster(PATH, { signal })
            const all = readOne(Permissions, data, PATH)
            await askByName(desk, sight.doubtful(all), signal)
            return told(all) ? at : undefined
          },
          failed: () => 5 * minute, // the lists tell what they can without it
        },
      ],
      // Whatever leaves the list may have been taken away, or out of sight; the rights know which.
      listed({ storages, at }) {
        const names = storages.map(({ storage }) => storage)
        if (sight.list(names, at)) desk.wake('rights')
      },
    }
  },
}

/**
 * The answer for everything leaves out a path on which nothing is allowed; asked for by its name it is empty. What fails
 * here waits for the next look: it says nothing against the answer for everything.
 */
async function askByName({ gateway, budget, sight }: Desk, paths: readonly string[], signal: AbortSignal) {
  for (const path of paths) {
    if (budget.cluster.take(RIGHTS) > 0) break
    try {
      const { data } = await gateway.cluster(`${PATH}?path=${encodeURIComponent(path)}`, { signal })
      sight.answered(path, readOne(Permissions, data, PATH)[path] ?? {})
    } catch (cause) {
      if (signal.aborted) throw cause
      if (toSourceError(cause).isPathFault) break
    }
  }
}
