import type { DockerContainer } from '@pulse/contract'
import type { Judging, Rule } from '../judging.ts'

interface Restarts {
  /** the engine's counter */
  count: number
  /** epoch ms of the restarts within the window, oldest first */
  at: number[]
  /** epoch ms; start of the observation */
  since?: number
}

/** Restarts above the highest limit are not stored. */
const mostKept = 200

/** A container that its engine restarts repeatedly. */
export const restartLoop: Rule<DockerContainer> = {
  name: 'container-restart-loop',
  judge(container, on) {
    const { restartCount, restartWindow } = on.policy.figures
    const most = restartCount?.value ?? 0
    const windowMs = (restartWindow?.value ?? 0) * 1000
    const restarts = follow(container, on, windowMs)
    const isOff = most <= 0 || windowMs <= 0
    const isBad = !isOff && restarts.length > most
    const id = `docker-container-restart-loop-${on.record}`
    const knownMs = on.now - (on.recall<Restarts>('restarts')?.since ?? -Infinity)
    // A kill loses the counts. An earlier alert stays until a whole window has been observed.
    const isUnknown = !isBad && on.isOpen(id) && knownMs < windowMs
    if (isUnknown) on.recheckIn(windowMs - knownMs)
    // The oldest restart leaves the window without a new report.
    if (restarts.length > 0) on.recheckIn(restarts[0]! + windowMs - on.now + 1)
    if (!isBad && !on.isWatched) return
    on.emit({
      id,
      type: 'docker-container-restart-loop',
      verdict: isOff ? 'off' : isBad ? 'bad' : isUnknown ? 'held' : 'fine',
      reason: isOff
        ? 'Its threshold is switched off.'
        : isUnknown
          ? 'Its restarts are being counted.'
          : undefined,
      value: restarts.length,
      threshold: most,
      origin: restartCount?.origin,
      level: 'critical',
      message: `Container ${on.resource.name} was restarted ${restarts.length} times within ${windowMs / 1000} s`,
      metadata: { restartCount: container.restartCount, windowSeconds: windowMs / 1000 },
    })
  },
}

/**
 * The restarts within the window. The first report sets the counter; a lower counter means a new container.
 */
function follow({ restartCount: count }: DockerContainer, on: Judging, windowMs: number): readonly number[] {
  const before = on.recall<Restarts>('restarts')
  if (!before || count < before.count) {
    const since = before ? {} : { since: on.now }
    on.keep('restarts', { count, at: [], ...since } satisfies Restarts)
    return []
  }
  const kept = before.at.filter((at) => at > on.now - windowMs && at <= on.now)
  const added = Math.min(count - before.count, mostKept)
  if (added === 0 && kept.length === before.at.length) return kept
  const at = [...kept, ...Array.from({ length: added }, () => on.now)].slice(-mostKept)
  on.keep('restarts', { ...before, count, at } satisfies Restarts)
  return at
}
